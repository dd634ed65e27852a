import { count, formatDate, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Overview',
  about: 'People who need you, and the last 28 days.',
  attention: 'Needs attention',
  toQueue: 'Work through the list',
  nobody: 'Nothing needs you',
  reachable: 'Phones are reachable.',
  answering: 'Phones are reachable, and people answer.',
  nobodyAnswered: 'Phones are reachable. Nobody has answered yet.',
  atLeast: (n: number, more: boolean) => (more ? `${formatNumber(n)} or more` : formatNumber(n)),
  andOthers: (n: number, more: boolean) => (more ? 'and others' : `and ${count(n, 'other')}`),
  exceptions: {
    unreachable: {
      title: 'cannot be reached',
      about:
        'These participants have no phone that notifications can reach. Ask them to open the app and to allow notifications.',
      next: 'See who cannot be reached',
    },
    silent: {
      title: 'went silent',
      about:
        'These participants did not answer the last three reminders of a survey. Write to them or call them.',
      next: 'See who went silent',
    },
    paused: {
      title: 'paused their reminders',
      about: 'Reminders start again when the pause ends. Only the participant can end a pause, in the app.',
      next: 'See who paused',
    },
    'never-downloaded': {
      title: 'never downloaded a survey',
      about:
        'These participants have joined, but have not opened a survey in the app. Help them with the first step.',
      next: 'See who never downloaded',
    },
    'date-missing': {
      title: 'lack a date',
      about:
        'Reminders of this study count from a date that these participants do not have yet, such as the date of surgery. Nothing comes to them until somebody enters it.',
      next: 'See who lacks a date',
    },
  },
  failed: {
    title: (n: number) => `${n === 1 ? 'reminder' : 'reminders'} failed in 28 days`,
    about:
      'The push service rejected these reminders, or was unavailable until they expired. Each person’s timeline says why.',
    next: 'See whose reminders failed',
  },
  invitations: {
    title: (n: number) => (n === 1 ? 'open invitation' : 'open invitations'),
    about: 'Invitations expire after 30 days. Send the link again, or revoke the invitation.',
    next: 'See the invitations',
  },
  late: {
    title: 'Reminders are late at the moment',
    about:
      'The whole service is affected. Send the report to the operator of the service. Reminders start again by themselves after the repair.',
    causes: {
      sweep: 'The search for overdue reminders has not run in the last five minutes.',
      overdue:
        'Some reminders have been due for ten minutes or more, and no reminder has been delivered since.',
      plans: 'Changes to reminders and members have waited for ten minutes or more to take effect.',
      relay: 'The push service refuses the credentials or the settings of this service.',
      clock: 'The clock of the server is wrong. No reminder is delivered until the clock is right.',
      database: 'The database takes no writes. No reminder is delivered until it does.',
    } as Record<string, string>,
    next: 'Copy the report',
    report: (at: string, address: string, causes: readonly string[]) =>
      [`Fieldbell, ${at}: reminders are late.`, ...causes, address].join('\n'),
    again: 'Check again',
  },
  days: 'Day by day',
  daysAbout: (from: string, to: string) =>
    `Reminders by each participant’s own date, ${formatDate(from)} to ${formatDate(to)}.`,
  series: { due: 'Due', sent: 'Sent', opened: 'Opened', answered: 'Answered' },
  allDays: 'Total',
  plotLabel: (due: number, sent: number, opened: number, answered: number) =>
    `A line chart of all days. In total ${formatNumber(due)} due, ${formatNumber(sent)} sent, ${formatNumber(opened)} opened, ${formatNumber(answered)} answered.`,
  asTable: 'Show the days as a table',
  tableCaption: 'Reminders due, sent, opened and answered on each day',
  date: 'Date',
  noDays: 'No reminder was due in these 28 days',
  noDaysAbout: 'The count begins with the first due reminder. Each survey has its own reminders.',
  toSurveys: 'To the surveys',
  nobodyYet: 'Nobody but you takes part yet',
  nobodyYetAbout: 'Invite people by the e-mail address that they sign in with.',
  toMembers: 'Invite people',
} as const;
