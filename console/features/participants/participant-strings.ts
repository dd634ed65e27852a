import { formatList } from '../../format.ts';

/** Why a reminder was not sent, by the service's reason. */
const reasons: Record<string, string> = {
  'left-study': 'this person no longer took part in the study',
  'survey-archived': 'the survey or its study was archived',
  'series-ended': 'the series had ended by then',
  'trigger-gone': 'the response that triggered the reminder was deleted, or its answers were changed',
  'time-passed':
    'in the new time zone, or at the new time, the reminder was due before this person joined, or before the reminders were set',
  superseded: 'a newer reminder was already due',
  answered: 'this person had already answered',
  opened: 'this person had already opened the notification',
  paused: 'this person had paused their reminders',
  expired: 'the reminder could not be sent before it expired',
  'quiet-hours': 'the reminder would have expired within their quiet hours',
  'no-device': 'this person had no phone that notifications could reach',
  'too-many': 'this person had already reached the limit of reminders for one day',
  'study-frozen': 'the study was frozen',
  stale: 'the reminders were changed',
  relay: 'the push service rejected the reminder',
};

const failures: Record<string, string> = {
  relay: 'The push service rejected the reminder. Its answer is shown beside the phone.',
  'reminders-unreadable': 'The reminders of this survey could not be read. Save them again to repair them.',
};

export const strings = {
  all: 'All participants',
  responses: 'Responses',
  about: 'Past and upcoming reminders.',
  noSurveys: 'This study has no survey yet',
  toSurveys: 'To the surveys',
  upcoming: 'Next reminders',
  noUpcoming:
    'No reminders are planned. Reminders that are counted from the download start once this person downloads the survey.',
  moreUpcoming: (n: number) =>
    `${n === 1 ? 'One more survey has' : `${n} more surveys have`} reminders. Choose a survey above.`,
  details: 'When and where reminders come',
  timeZone: 'Their time zone',
  zones: (n: number) => `The last ${n} time zones`,
  zoneSince: (zone: string) => `${zone} since`,
  zoneFrom: { device: 'from their phone', user: 'from their own setting', study: 'from the study’s setting' },
  remindersTime: 'Time of reminders',
  noRemindersTime: 'As set in each survey',
  theirTime: (time: string) => `${time}, chosen by this person`,
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
    label === undefined ? 'Takes part with a code' : `Takes part with the code “${label}”`,
  invitedAs: 'Invited as',
  noPhones: 'None. This person gets no notifications until they open the app and allow notifications.',
  enabled: 'Reachable',
  disabled: 'Unreachable',
  lastSeen: 'last seen',
  zone: (zone: string) => `Times are in this person’s zone: ${zone}.`,
  formerZone: (zone: string) => `Times are in the study’s zone: ${zone}.`,
  nudgesAt: (times: readonly string[]) => `Nudges at ${formatList(times)} if there is no answer`,
  followUpNext: (kind: 'nudge' | 'snooze') =>
    kind === 'nudge'
      ? 'A nudge of the previous reminder comes at'
      : 'A snooze of the previous reminder ends at',
  history: 'History',
  caption: 'Reminders of this person, newest first',
  none: 'There has been no reminder yet',
  noneAbout: 'A planned reminder appears here with its time, and later with its outcome.',
  noneOn: (date: string) => `No reminder was due on ${date}`,
  noneOnAbout: 'Reminders are kept for 400 days.',
  onDay: (date: string) => `On ${date}`,
  allDays: 'Show all days',
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
    `The reminder will no longer be sent${reason ? `: ${reasons[reason] ?? reason}` : ''}.`,
  planned: 'The reminder is not due yet, or is waiting to be sent.',
  sentAt: 'Sent',
  shownAt: 'Shown',
  openedAt: 'Opened',
  dismissedAt: 'Dismissed',
  answeredAt: 'Answered',
  answeredLate: 'Answered, later than allowed,',
  answerReceivedAt: 'Answer received, from a phone that was offline,',
  notAnswered: 'Not answered.',
  kinds: { nudge: 'Nudge', snooze: 'Snooze' },
  followUp: {
    retrying: 'will be tried again',
    sent: 'sent',
    failed: 'failed',
    skipped: 'not sent',
  },
  followUpWhy: (reason: string) => `, because ${reasons[reason] ?? reason}`,
  phone: (platform: string, id: string) => `${platform}, ${id.slice(-6)}`,
} as const;
