import { formatList } from '../format.ts';

/** Why a reminder did not come, by the reason that the service gives. */
const reasons: Record<string, string> = {
  'left-study': 'they were no longer a member of the study',
  'survey-archived': 'the survey or its study was archived',
  'series-ended': 'the series was over by then',
  superseded: 'a newer one was due already',
  answered: 'they had answered already',
  opened: 'they had opened it already',
  paused: 'they had paused their reminders',
  expired: 'it could not be sent before it expired',
  'quiet-hours': 'it would have expired within their quiet hours',
  'no-device': 'they had no phone that a push reaches',
  'too-many': 'they had got too many pushes that day',
  'study-frozen': 'the study was frozen',
  stale: 'the reminders were changed',
};

export const strings = {
  all: 'All participants',
  about: 'What became of each reminder, and what comes next.',
  survey: 'Survey',
  noSurveys: 'This study has no survey yet',
  toSurveys: 'To the surveys',
  upcoming: 'Next reminders',
  noUpcoming: 'None are planned. Reminders that count from the download begin with it.',
  zone: (zone: string) => `Times are theirs: ${zone}.`,
  unknownZone: (zone: string) => `Times are the study’s, until their first reminder shows theirs: ${zone}.`,
  nudgesAt: (times: readonly string[]) => `Nudged at ${formatList(times)} if nobody answers`,
  followUpNext: (kind: 'nudge' | 'snooze') =>
    kind === 'nudge' ? 'A nudge of the one before comes at' : 'A snooze of the one before ends at',
  history: 'What became of each',
  caption: 'Reminders of this person for the survey, newest first',
  none: 'There has been no reminder yet',
  noneAbout: 'Once one is planned, this says when it comes; then whether it came, and if not, why.',
  due: 'Due',
  state: 'State',
  why: 'What happened',
  phones: 'Phones',
  states: {
    scheduled: 'Planned',
    sent: 'Sent',
    skipped: 'Not sent',
    failed: 'Failed',
    invalidated: 'Withdrawn',
  },
  because: (reason: string) => `Not sent, because ${reasons[reason] ?? reason}.`,
  failedFor: (reason: string | undefined) =>
    reason ? `The push service did not deliver it: ${reason}.` : 'The push service did not deliver it.',
  withdrawn: (reason: string | undefined) =>
    `It will not come any more${reason ? `: ${reasons[reason] ?? reason}` : ''}.`,
  planned: 'It has not been due yet, or waits.',
  sentAt: 'Sent',
  shownAt: 'Shown',
  openedAt: 'Opened',
  dismissedAt: 'Wiped away',
  answeredAt: 'Answered',
  notAnswered: 'Not answered.',
  kinds: { nudge: 'Nudge', snooze: 'Snooze' },
  followUp: {
    retrying: 'is tried again',
    sent: 'sent',
    failed: 'failed',
    skipped: 'left out',
  },
  followUpWhy: (reason: string) => `, because ${reasons[reason] ?? reason}`,
  phone: (platform: string, id: string) => `${platform}, ${id.slice(-6)}`,
} as const;
