import { formatDate, formatNumber, formatShare } from '../../format.ts';

export const strings = {
  title: 'Participants',
  codes: 'Codes for participants',
  information: 'Information for participants',
  about: 'The reminders of each participant, and participants who need attention.',
  caption: 'Participants of the study and the outcome of their reminders',
  name: 'Name',
  attention: 'Attention',
  due: 'Due',
  sent: 'Sent',
  notSent: 'Not sent',
  failed: 'Failed',
  anyFailed: 'A reminder failed',
  opened: 'Opened',
  answered: 'Answered',
  late: (n: number) => `(${formatNumber(n)} late)`,
  rate: 'Answer rate',
  noRate: 'none due',
  lastAnswered: 'Last answer',
  lastSeen: 'Phone last seen',
  never: 'never',
  show: 'Show',
  everyone: 'Everyone',
  period: (from: string, to: string) =>
    `${formatDate(from)} to ${formatDate(to)}, by each participant’s own date, all participants together:`,
  totals: (due: number, sent: number, opened: number, answered: number, late: number) =>
    `${formatNumber(due)} due, ${formatNumber(sent)} sent, ${formatNumber(opened)} opened, ${formatNumber(answered)} answered${due > 0 ? ` (${formatShare(answered, due)})` : ''}${late > 0 ? `, of which ${formatNumber(late)} late` : ''}.`,
  csvOfAll: 'Save all participants as CSV',
  file: (study: string) => `${study}, participants`,
  noneFound: 'No participant matches these filters',
  noneFailed: 'No participant’s reminder failed in this period',
  noneFailedAbout: 'The overview also counts reminders of people who have left the study.',
  clearFilters: 'Show everyone',
  reasons: {
    unreachable: 'Unreachable',
    paused: 'Paused',
    silent: 'Silent',
    'never-downloaded': 'Never downloaded',
  },
  pausedUntil: (until: string | null | undefined) => (until ? `Paused until ${until}` : 'Paused'),
  reachable: 'Phone can be reached',
  former: 'This person has left the study. The history of their reminders stays here.',
  takesNoPart:
    'This person does not take part. Owners and editors get reminders once they have registered a phone, or downloaded a survey.',
  inPeriod: (due: number, sent: number, missed: number, answered: number) =>
    `In 28 days: ${formatNumber(due)} due, ${formatNumber(sent)} sent, ${formatNumber(missed)} not sent, ${formatNumber(answered)} answered${due > 0 ? ` (${formatShare(answered, due)})` : ''}`,
} as const;
