import { formatList } from '../../format.ts';

/** Why a reminder was not sent, by the service's reason. */
const reasons: Record<string, string> = {
  'left-study': 'this person no longer took part in the study',
  'survey-archived': 'the survey or its study was archived',
  'series-ended': 'the series was over by then',
  'trigger-gone': 'the response that it followed was deleted, or had other answers by then',
  'time-passed':
    'by their new zone or time, the reminder was due before they joined, or before the reminders were set',
  superseded: 'a newer reminder was due already',
  answered: 'this person had answered already',
  opened: 'this person had opened the notification already',
  paused: 'this person had paused their reminders',
  expired: 'the reminder could not be sent before it expired',
  'quiet-hours': 'the reminder would have expired within their quiet hours',
  'no-device': 'this person had no phone that a push reaches',
  'too-many': 'this study had sent as much as it may in one day',
  'study-frozen': 'the study was frozen',
  stale: 'the reminders were changed',
  relay: 'the push service rejected the reminder',
};

const failures: Record<string, string> = {
  relay: 'The push service rejected the reminder. Its answer stands beside the phone.',
  'reminders-unreadable': 'The reminders of this survey could not be read. Save them again to repair them.',
};

export const strings = {
  all: 'All participants',
  responses: 'Responses',
  about: 'Past and upcoming reminders.',
  noSurveys: 'This study has no survey yet',
  toSurveys: 'To the surveys',
  upcoming: 'Next reminders',
  noUpcoming: 'No reminders are planned. Reminders that count from the download begin with the download.',
  moreUpcoming: (n: number) =>
    `${n === 1 ? 'One more survey has' : `${n} more surveys have`} reminders. Choose a survey above.`,
  details: 'When and where reminders come',
  timeZone: 'Their time zone',
  zones: (n: number) => `The last ${n} time zones`,
  zoneSince: (zone: string) => `${zone} since`,
  zoneFrom: { device: 'by their phone', user: 'by their own setting', study: 'by the study’s setting' },
  remindersTime: 'Time of reminders',
  noRemindersTime: 'As each survey says',
  theirTime: (time: string) => `${time}, as they chose`,
  quietHours: 'Quiet hours',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  noQuietHours: 'None',
  pauses: 'Pauses',
  noPauses: 'None',
  allReminders: 'All reminders until',
  thisStudy: 'Reminders of this study until',
  withoutEnd: 'they end the pause themselves',
  joined: 'Joined',
  enrolledBy: (label: string | undefined) =>
    label === undefined ? 'Takes part by a code' : `Takes part by the code “${label}”`,
  invitedAs: 'Invited as',
  noPhones: 'None. This person gets no notifications until they open the app and allow them.',
  enabled: 'Reached',
  disabled: 'Not reached',
  lastSeen: 'last seen',
  zone: (zone: string) => `Times are in this person’s zone: ${zone}.`,
  formerZone: (zone: string) => `Times are in the study’s zone: ${zone}.`,
  nudgesAt: (times: readonly string[]) => `Nudged at ${formatList(times)} if nobody answers`,
  followUpNext: (kind: 'nudge' | 'snooze') =>
    kind === 'nudge'
      ? 'A nudge of the previous reminder comes at'
      : 'A snooze of the previous reminder ends at',
  history: 'History',
  caption: 'Reminders of this person, newest first',
  none: 'There has been no reminder yet',
  noneAbout: 'A planned reminder appears here with its time, and later with its outcome.',
  due: 'Due',
  state: 'State',
  why: 'Outcome',
  phones: 'Phones',
  states: {
    scheduled: 'Planned',
    sent: 'Sent',
    skipped: 'Not sent',
    failed: 'Failed',
    invalidated: 'Withdrawn',
  },
  because: (reason: string) => `Not sent, because ${reasons[reason] ?? reason}.`,
  failedFor: (reason = '') =>
    failures[reason] ?? `The reminder could not be delivered${reason && `: ${reason}`}.`,
  withdrawn: (reason: string | undefined) =>
    `The reminder will not come any more${reason ? `: ${reasons[reason] ?? reason}` : ''}.`,
  planned: 'The reminder is not due yet, or waits.',
  sentAt: 'Sent',
  shownAt: 'Shown',
  openedAt: 'Opened',
  dismissedAt: 'Wiped away',
  answeredAt: 'Answered',
  answerReceivedAt: 'Answer received, from a phone that was offline,',
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
