import { count, formatDate, formatList, formatNumber } from '../../format.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** "90" is "1 hour 30 minutes". */
function minutes(n: number): string {
  const parts = [
    [Math.floor(n / 1440), 'day'],
    [Math.floor((n % 1440) / 60), 'hour'],
    [n % 60, 'minute'],
  ] as const;
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => count(amount, unit));
  return shown.join(' ') || count(0, 'minute');
}

const timesOf = (n: number) => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`);

/** "13 weeks", "10 days" */
const daysApart = (n: number) => (n % 7 === 0 ? count(n / 7, 'week') : count(n, 'day'));

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
  fixed: 'Days of each person’s own',
  fixedHint: 'Counted from the download, from joining, or from a date such as that of a surgery.',
  triggered: 'After responses to a survey',
  triggeredHint: 'A person gets a reminder after each of their responses, or only after certain responses.',
  clock: 'Clock',
  ownClock: 'Each person’s own',
  ownClockHint: 'Reminders follow the local time wherever the person is, even when they travel.',
  studyClock: (zone: string) => `The study’s, ${zone}`,
  studyClockHint:
    'Everyone gets the reminder at the same moment, for example before a call or a lab visit. Reminder times that people have chosen do not apply.',
  days: 'Days',
  dayKinds: {
    every: 'Every day',
    listed: 'Certain days',
    repeated: 'At regular intervals',
    bursts: 'Several days in a row, again and again',
  },
  someWeekdays: 'Some days of the week',
  weekdaysLabel: 'Days of the week',
  noDays: 'Choose at least one day.',
  pick: 'How many of these days each week',
  pickHint:
    'Which of the days is drawn for each person and each week. Weeks begin on the weekday of the first day.',
  picks: (n: number) => (n === 0 ? 'All of them' : `${count(n, 'day')} at random`),
  daysAfter: (anchor: string) => `How many days after ${anchor}`,
  daysAfterHint: (hasDate: boolean) =>
    `For example: 5, 30, 60, 90, or 14-16 for three days in a row. Day 0 is the day itself${hasDate ? ', and -7 is a week before' : ''}.`,
  daysAfterFault: 'Enter whole numbers from -365 to 3650, such as 5, 30, 60, 90.',
  repeated: {
    days: 'Interval',
    bursts: 'Days in a row',
    hint: 'The first is day 0. Seven days in a row each quarter are 7 days, every 91 days, 4 times.',
    burst: 'Days in a row',
    every: 'Every so many days',
    apart: 'Days from one start to the next',
    times: 'How many times',
  },
  start: {
    label: 'Day 0, from which days are counted',
    download: 'The download',
    downloadHint: 'The day on which a person first opens the survey in the app.',
    joined: 'Joining the study',
    date: 'A date of each person’s own',
    dateHint: 'A person without this date gets no reminder, and attention says so.',
    noDates: 'The study declares no such dates yet. Owners declare them in the settings.',
    which: 'Which date',
    undeclared: (name: string) => `The study does not declare the date “${name}” yet.`,
    settings: 'Open the settings',
  },
  examples: {
    label: 'Start from an example',
    hint: 'An example replaces days, times and nudges of this form. A text that you have typed stays. Nothing is saved yet.',
    diary: 'Diary',
    bursts: 'Measurement bursts',
    followUp: 'Follow-up after surgery',
    visits: 'Visits',
    texts: {
      diary: { subject: 'Diary', body: 'How was your day?' },
      bursts: { subject: 'Just now', body: 'How do you feel right now?' },
      followUp: { subject: 'After your surgery', body: 'How are you getting on?' },
      visits: { subject: 'Your visit', body: 'Please answer these questions before your visit.' },
    },
  },
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
  units: { minutes: 'minutes', hours: 'hours', days: 'days' },
  unitOf: (label: string) => `${label}, unit`,
  expiresAfter: 'A reminder expires after',
  expiresHint: (n: number) =>
    n >= 1 && n <= 86_400 && Number.isInteger(n)
      ? `Phones do not show a reminder that arrives more than ${minutes(n)} after its time. A visit stays open for so long. The limit is 60 days.`
      : 'Enter a time from 1 minute to 60 days.',
  overlap: (gap: number) =>
    `The next random reminder can come ${minutes(gap)} after a reminder that is still open.`,
  propose: (n: number) => `Expire after ${minutes(n)}`,
  unlessAnswered: 'No reminder if the survey was answered that day',
  answerWithin: 'An answer is in time within',
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
  nudgesHint:
    'A nudge replaces the notification before, so the phone shows only one. Whole days apart they come at the reminder’s time of day.',
  every: 'Time between nudges',
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
  previewStarts: {
    download: 'Survey downloaded on',
    joined: 'Joined the study on',
    date: (name: string) => `Date of ${name}`,
  },
  previewResponded: 'Response given',
  previewQuietFrom: 'Quiet hours begin',
  previewQuietTo: 'Quiet hours end',
  previewExample: 'These times are an example: each person has their own.',
  previewNone: 'There are no reminders: the series has ended by that date.',
  previewFault: 'The reminders appear here once the marked fields are correct.',
  previewOptions: 'Try other dates and quiet hours',
  courses: {
    title: 'Whole course',
    hint: (zone: string) => `From day 0 to the end, for a few people with their phones in ${zone}.`,
    loading: 'The lines appear here once the marked fields are correct.',
    legend: { day0: 'Day 0', past: 'Past', ahead: 'To come', open: 'Open for an answer', today: 'Today' },
    joined: { today: 'Joins today', earlier: 'Joined 30 days ago', first: 'Joined on the first day' },
    downloaded: { today: 'Downloads today', earlier: 'Downloaded 30 days ago' },
    dated: {
      ahead: (name: string) => `${name}: in two weeks`,
      today: (name: string) => `${name}: today`,
      earlier: (name: string) => `${name}: 30 days ago`,
    },
    example: 'Your example',
    responded: 'Responds once',
    dayZero: (date: string) => `Day 0: ${date}`,
    none: 'No reminders',
    summary: (past: number, ahead: number) =>
      `${count(past + ahead, 'reminder')}: ${formatNumber(past)} past, ${formatNumber(ahead)} to come`,
    span: (first: string, last: string) => (first === last ? `on ${first}` : `from ${first} to ${last}`),
    endless: (days: number) =>
      `These reminders have no end: the lines show ${days} days from today or day 0.`,
    ends: (days: number) =>
      `The study lasts ${count(days, 'day')} for each person, from joining on: later reminders do not come.`,
    many: (n: number) => `The lines show at most ${n} reminders of a person.`,
    day: (n: number) => `Day ${n}`,
  },
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
    joined: 'Days are counted from the day on which each person joined.',
    dated: (name: string) =>
      `A person without the date “${name}” gets no reminder. People who have it are counted below.`,
    redraw: 'The remaining random days or times are chosen again.',
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
    picked: (n: number, weekdays: string | undefined) =>
      `${count(n, 'random day')} a week${weekdays ? `, of ${weekdays}` : ''},`,
    anchors: { download: 'the download', joined: 'joining' },
    before: (days: string, isOne: boolean) => `${days} ${isOne ? 'day' : 'days'} before`,
    onDay: 'on the day of',
    after: (days: string, isOne: boolean) => `${days} ${isOne ? 'day' : 'days'} after`,
    everyAfter: (anchor: string) => `Every day from ${anchor} on`,
    repeated: (
      { burst, every, times }: { burst?: number | undefined; every: number; times: number },
      anchor: string,
    ) =>
      burst === undefined
        ? `Every ${every === 1 ? 'day' : daysApart(every)} from ${anchor} on, ${timesOf(times)},`
        : `${count(burst, 'day')} in a row every ${daysApart(every)} from ${anchor} on, ${timesOf(times)},`,
    open: (n: number) => `open for ${minutes(n)}`,
    at: (time: string) => `at ${time}`,
    random: (windows: readonly { from: string; to: string; count: number }[]) =>
      `at random: ${formatList(windows.map(({ from, to, count: n }) => `${timesOf(n)} from ${from} to ${to}`))}`,
    studyClock: 'by the study’s clock',
    delay: (n: number) => `from day ${n + 1} of the study`,
    ends: (n: number) => `on ${count(n, 'day')} in all`,
    nudges: (max: number, every: number) =>
      `nudged up to ${timesOf(max)}, each ${minutes(every)} after the one before`,
    expression: (text: string) => `By the expression ${text}`,
    triggered: ({ after, at, where, each }: Triggered) =>
      `After ${each === false ? 'a person’s first response' : 'each response'} to another survey${where ? ' with certain answers' : ''}, ${after === 0 ? 'at once' : `${minutes(after)} later`}${at === undefined ? '' : `, when the person’s clock next shows ${at}`}`,
  },
} as const;
