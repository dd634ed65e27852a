import { count, formatDate, formatList, formatNumber } from '../../format.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** "90" is "1 hour 30 minutes". */
function minutes(n: number): string {
  const [hours, rest] = [Math.floor(n / 60), n % 60];
  return [hours > 0 && count(hours, 'hour'), (rest > 0 || hours === 0) && count(rest, 'minute')]
    .filter(Boolean)
    .join(' ');
}

interface Triggered {
  after: number;
  at?: string | undefined;
  where?: Record<string, string[]> | undefined;
  each?: boolean | undefined;
}

export const strings = {
  title: (survey: string) => `Reminders of ${survey}`,
  addTitle: (survey: string) => `Add reminders to ${survey}`,
  about: 'Push notifications to the phones of the people in this study.',
  weekdays,
  minutes,

  when: 'Days and times',
  type: 'Schedule',
  rolling: 'The study’s calendar',
  rollingHint: 'The same dates for everyone. Participants who join late get the remaining dates.',
  fixed: 'Days after the download',
  fixedHint:
    'Each person has their own days, counted from the day on which they first open the survey in the app.',
  triggered: 'After responses to a survey',
  triggeredHint: 'A person gets a reminder after each of their responses, or only after certain responses.',
  clock: 'Clock',
  ownClock: 'Each person’s own',
  ownClockHint: 'Reminders follow the local time wherever the person is, even when they travel.',
  studyClock: (zone: string) => `The study’s, ${zone}`,
  studyClockHint:
    'Everyone gets the reminder at the same moment, for example before a call or a lab visit. Reminder times that people have chosen do not apply.',
  days: 'Days',
  everyDay: 'Every day',
  someWeekdays: 'Some days of the week',
  someDays: 'Some days',
  weekdaysLabel: 'Days of the week',
  noDays: 'Choose at least one day.',
  daysAfter: 'How many days after the download',
  daysAfterHint:
    'For example: 1, 7, 14-16. Day 0 is the day of the download. A list with day 0 cannot have days above 7.',
  daysAfterFault: 'Enter days from 0 to 31, such as 1, 7, 14-16. A list with day 0 cannot have days above 7.',
  times: 'Time',
  oneTime: 'At one time',
  randomTimes: 'At random times',
  randomHint: 'Each person gets different times on each date, so that nobody can predict a reminder.',
  time: 'Time of day',
  timeHint:
    'The time is by each person’s own clock. Participants who have chosen a reminder time of their own get the reminder at that time.',
  windows: 'Windows',
  windowsHint:
    'Windows are parts of the day, earliest first, by each person’s own clock. Until 00:00 is until midnight. For a night add two: one from 00:00, and one until 00:00.',
  window: (n: number) => `Window ${n}`,
  from: 'From',
  to: 'Until',
  count: 'Reminders',
  removeWindow: (n: number) => `Remove window ${n}`,
  addWindow: 'Add a window',
  minGap: 'Minutes between any two reminders',
  minGapHint:
    'Enter a number from 0 to 720. It holds within a date: over midnight two reminders can be closer.',
  delay: 'Days before the first reminder',
  delayHint: (startsOn: string) =>
    `Days are counted from the study’s first day, ${formatDate(startsOn)}. An empty field means no delay.`,
  ends: 'Number of days with reminders',
  endsHint: 'An empty field means that the reminders have no end.',

  expression: 'Expression',
  expressionHint:
    'The fields are minute, hour, day of the month, month and day of the week, as in a crontab. The form above shows the same schedule.',
  expressionKept: 'The form cannot show these days and this time, so they are kept as this expression:',
  useForm: 'Choose days and time instead',

  open: 'Expiry and quiet hours',
  expiresAfter: 'Minutes until a reminder expires',
  expiresHint: (n: number) =>
    n >= 1 && n <= 1440
      ? `Phones do not show a reminder that arrives more than ${minutes(n)} after its time. The limit is 24 hours.`
      : 'Enter a number from 1 to 1440.',
  overlap: (gap: number) =>
    `The next random reminder can come ${minutes(gap)} after a reminder that is still open.`,
  propose: (n: number) => `Expire after ${minutes(n)}`,
  unlessAnswered: 'No reminder if the survey was answered that day',
  answerWithin: 'Minutes for an answer in time',
  answerWithinHint: 'Later answers are marked as late. An empty field means that no answer is late.',
  refusesLate: 'Refuse late answers',
  refusesLateHint:
    'After that time, participants can no longer answer. Answers that were given in time on an offline phone are still accepted.',
  unlessAnsweredHint: 'This suits a survey that each person answers once a day.',
  unlessAnsweredRandom:
    'Each answer is for one reminder. An answer between the random reminders of a day holds back the next one.',
  quiet:
    'Everyone can set quiet hours in the app. A reminder that falls within quiet hours comes when the quiet hours end, unless the reminder has expired by then. Nudges that fall within quiet hours are not sent.',
  nudges: 'Nudges',
  hasNudges: 'Remind again if there is no answer',
  nudgesHint: 'A nudge replaces the notification before, so the phone shows only one.',
  every: 'Minutes between nudges',
  max: 'How many nudges',
  stop: 'Until',
  stops: { answered: 'the survey is answered', opened: 'the notification is opened' },

  text: 'Text of the notification',
  textHint: 'Phones show this text if their language has no translation below.',
  subject: 'Title',
  body: 'Text',
  length: (used: number, max: number) => `${formatNumber(used)} of ${formatNumber(max)} characters`,
  translation: (n: number, tag: string) => (tag ? `Translation: ${tag}` : `Translation ${n}`),
  language: 'Language tag',
  languageHint: (name: string | undefined) => name ?? 'Such as fr, or pt-BR.',
  addTranslation: 'Add a translation',
  removeTranslation: (tag: string) => `Remove the translation ${tag}`.trim(),
  twice: 'Each language can appear only once.',
  limits: 'A reminder has at most 50 translations. Title and text together have at most 4 KB.',
  shownAs: 'On a phone',

  preview: 'Next reminders',
  previewZone: 'For a person in',
  previewFrom: 'From',
  previewDownloaded: 'Survey downloaded on',
  previewResponded: 'Response given',
  previewQuietFrom: 'Quiet hours begin',
  previewQuietTo: 'Quiet hours end',
  previewExample: 'These times are an example: each person has their own.',
  previewNone: 'There are no reminders: the series has ended by that date.',
  previewFault: 'The reminders appear here once the marked fields are correct.',
  previewOptions: 'Try other dates and quiet hours',
  nudgesAt: (times: readonly string[]) => `Nudges at ${formatList(times)}`,

  saveNew: 'Add reminders',
  save: 'Save reminders',
  remove: 'Stop reminding',
  removed: 'This survey no longer has reminders.',
  saved: 'The reminders are saved.',
  leave: 'Back without saving',
  kept: 'Your unsaved changes are here again.',
  discard: 'Discard the changes',

  impact: {
    title: 'Before you save',
    removeTitle: 'Stop reminding?',
    before: 'Until now',
    after: 'From now on',
    none: 'No reminders',
    all: (n: number) => `These reminders are for everyone who takes part: ${count(n, 'person', 'people')}.`,
    downloaded: (n: number, participants: number) =>
      `${formatNumber(n)} of ${count(participants, 'person', 'people')} who take part ${n === 1 ? 'has' : 'have'} downloaded the survey, and ${n === 1 ? 'gets' : 'get'} these reminders. The others get them as soon as they download the survey.`,
    pending: (n: number) =>
      n === 0
        ? 'Nobody has a planned reminder.'
        : `${count(n, 'person has', 'people have')} a planned reminder, which a new reminder replaces.`,
    pendingGone: (n: number) =>
      n === 0
        ? 'Nobody has a planned reminder.'
        : `${count(n, 'person has', 'people have')} a planned reminder, which will not be sent.`,
    people: (n: number) => `${count(n, 'person takes', 'people take')} part`,
    counting: 'Still counting …',
    moved: (n: number) => `${count(n, 'person gets', 'people get')} reminders at other times.`,
    added: (n: number) =>
      `${count(n, 'person who had no reminders now gets', 'people who had no reminders now get')} reminders.`,
    removed: (n: number) => `${count(n, 'person no longer gets', 'people no longer get')} reminders.`,
    unchanged: (n: number) => `For ${count(n, 'person', 'people')} the next reminders stay as they are.`,
    againChoice: (n: number) =>
      n === 1
        ? 'Also remind the person who already got a reminder today'
        : `Also remind the ${formatNumber(n)} people who already got a reminder today`,
    againHint: 'Otherwise their next reminder comes on another day.',
    examples: (n: number, zone: string) =>
      `The next reminders of ${n === 1 ? 'one of them' : `${n} of them`}, in the study’s zone, ${zone}`,
    person: 'Person',
    counted: (counted: number, members: number) =>
      `The numbers cover the first ${formatNumber(counted)} of ${count(members, 'person', 'people')} in the study.`,
    textOnly: 'Only the text changes. Days and times stay the same.',
    ownClock: 'Times of day are by each person’s own clock.',
    unlessAnswered: (several: boolean) =>
      several
        ? 'An answer between the reminders of a day holds back the next one.'
        : 'People who have answered the survey that day get no reminder.',
    always: 'Reminders come whether or not the survey was answered that day.',
    expires: (n: number) => `A reminder expires ${minutes(n)} after its time.`,
    expiresBefore: (n: number) =>
      `A reminder expires ${minutes(n)} after its time, before the next random one can come.`,
    overlaps: (n: number, gap: number) =>
      `A reminder expires ${minutes(n)} after its time. The next random one can come after ${minutes(gap)}, so two can be open at once.`,
    redraw: 'The remaining random times are chosen again.',
    go: 'Save and reschedule',
    stop: 'Stop reminding',
  },

  meanwhile: {
    now: (what: string) => `The survey’s reminders are now: ${what}. Your changes are still in this form.`,
  },

  describe: {
    every: 'Every day',
    weekdays: (days: readonly number[]) =>
      days.join() === '1,2,3,4,5'
        ? 'Monday to Friday'
        : formatList(
            [...days].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => weekdays[day] ?? ''),
          ),
    after: (days: string, last: number) =>
      days === '0'
        ? 'On the day of the download'
        : `${days} ${last === 1 ? 'day' : 'days'} after the download`,
    everyAfter: 'Every day from the download on',
    at: (time: string) => `at ${time}`,
    random: (windows: readonly { from: string; to: string; count: number }[]) =>
      `at random: ${formatList(windows.map(({ from, to, count: n }) => `${n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`} from ${from} to ${to}`))}`,
    studyClock: 'by the study’s clock',
    delay: (n: number) => `from day ${n + 1} of the study`,
    ends: (n: number) => `on ${count(n, 'day')} in all`,
    nudges: (max: number, every: number) =>
      `nudged up to ${max === 1 ? 'once' : max === 2 ? 'twice' : `${max} times`}, each ${minutes(every)} after the one before`,
    expression: (text: string) => `By the expression ${text}`,
    triggered: ({ after, at, where, each }: Triggered) =>
      `After ${each === false ? 'a person’s first response' : 'each response'} to another survey${where ? ' with certain answers' : ''}, ${after === 0 ? 'at once' : `${minutes(after)} later`}${at === undefined ? '' : `, when the person’s clock next shows ${at}`}`,
  },
} as const;
