import { count, formatDate, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Overview',
  about: 'Who needs you, and how the last 28 days went.',
  attention: 'What needs you',
  nobody: 'Nothing needs you',
  nobodyAbout: 'Phones are reachable, and people answer.',
  atLeast: (n: number, more: boolean) => (more ? `${formatNumber(n)} or more` : formatNumber(n)),
  andOthers: (n: number, more: boolean) => (more ? 'and others' : `and ${count(n, 'other')}`),
  exceptions: {
    unreachable: {
      title: 'cannot be reached',
      about: 'They have no phone that a push reaches. Ask them to open the app, and to allow notifications.',
      next: 'See who cannot be reached',
    },
    silent: {
      title: 'went silent',
      about: 'They did not answer the last three reminders of a survey. Write to them, or call.',
      next: 'See who went silent',
    },
    paused: {
      title: 'paused their reminders',
      about: 'They get none until their pause ends. Only they can end it, in the app.',
      next: 'See who paused',
    },
    'never-downloaded': {
      title: 'never downloaded a survey',
      about: 'They have joined, and have not opened a survey in the app. Help them with the first step.',
      next: 'See who never downloaded',
    },
  },
  failed: {
    title: (n: number) => `${n === 1 ? 'reminder' : 'reminders'} failed in 28 days`,
    about:
      'The push service refused them, or stayed out of reach until they expired. A person’s time line says why.',
    next: 'See whose reminders failed',
  },
  invitations: {
    title: (n: number) => (n === 1 ? 'invitation waits' : 'invitations wait'),
    about: 'They expire after 30 days. Send the link once more, or revoke them.',
    next: 'See the invitations',
  },
  late: {
    title: 'Reminders are late at the moment',
    about:
      'This holds for the whole service. Send the report to the person who runs it; once it is mended, reminders go on by themselves.',
    causes: {
      sweep: 'Nothing has looked for overdue reminders in the last five minutes.',
      overdue: 'Some have been due for ten minutes or more, and none was delivered since.',
      outbox: 'Changes of reminders and members have waited for ten minutes or more to take effect.',
      'dead-letters': 'Changes of reminders or members could not take effect, however often it was tried.',
      relay: 'The push service refuses the credentials or the settings of this service.',
      clock: 'The clock of the server is wrong. Nothing is delivered until it is right.',
    } as Record<string, string>,
    next: 'Copy the report',
    report: (at: string, address: string, causes: readonly string[]) =>
      [`Fieldbell, ${at}: reminders are late.`, ...causes, address].join('\n'),
    again: 'Look again',
  },
  days: 'Day by day',
  daysAbout: (from: string, to: string, zone: string) =>
    `Reminders by the day on which they were due, ${formatDate(from)} to ${formatDate(to)}, in the study’s calendar (${zone}).`,
  series: { due: 'Due', sent: 'Sent', opened: 'Opened', answered: 'Answered' },
  allDays: 'In all',
  plotLabel: (due: number, sent: number, opened: number, answered: number) =>
    `Lines of each day. In all ${formatNumber(due)} due, ${formatNumber(sent)} sent, ${formatNumber(opened)} opened, ${formatNumber(answered)} answered.`,
  asTable: 'The same as a table',
  tableCaption: 'Reminders due, sent, opened and answered on each day',
  date: 'Date',
  noDays: 'No reminder was due in these 28 days',
  noDaysAbout: 'They are counted here once the first is due. A survey says when it reminds.',
  toSurveys: 'To the surveys',
  nobodyYet: 'Nobody but you takes part yet',
  nobodyYetAbout: 'Invite people by the e-mail address that they sign in with.',
  toMembers: 'Invite people',
} as const;
