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
  type: 'Days by',
  rolling: 'The study’s calendar',
  rollingHint: 'The same dates for everyone. Participants who join late get the remaining dates.',
  fixed: 'Days after the download',
  fixedHint:
    'Each person has their own days, counted from the day on which they first open the survey in the app.',
  triggered: 'After responses to a survey',
  triggeredHint: 'Each response of a person, or certain ones, brings that person a reminder.',
  clock: 'Clock',
  ownClock: 'Each person’s own',
  ownClockHint: 'The time of day where they are, also when they travel.',
  studyClock: (zone: string) => `The study’s, ${zone}`,
  studyClockHint:
    'One moment for everyone, such as for calls and labs. The reminder time that people chose does not apply.',
  days: 'Days',
  everyDay: 'Every day',
  someWeekdays: 'Some days of the week',
  someDays: 'Some days',
  weekdaysLabel: 'Days of the week',
  noDays: 'Choose at least one day.',
  daysAfter: 'How many days after the download',
  daysAfterHint: 'For example: 1, 7, 14-16. Day 0 is the day of the download, and goes with days up to 7.',
  daysAfterFault: 'Expected days from 0 to 31, such as 1, 7, 14-16; with 0 among them, none above 7.',
  times: 'Time',
  oneTime: 'At one time',
  randomTimes: 'At random times',
  randomHint: 'Each person gets other times on each date, so that nobody expects a reminder.',
  time: 'Time of day',
  timeHint: 'By each person’s own clock. Participants who chose their own reminder time get it then.',
  windows: 'Windows',
  windowsHint: 'Stretches of the day, in order, by each person’s own clock.',
  window: (n: number) => `Window ${n}`,
  from: 'From',
  to: 'Until',
  count: 'How many',
  removeWindow: (n: number) => `Remove window ${n}`,
  addWindow: 'Add a window',
  minGap: 'Minutes between any two',
  minGapHint: 'From 0 to 720.',
  delay: 'Days before the first reminder',
  delayHint: (startsOn: string) =>
    `Days count from the study’s first day, ${formatDate(startsOn)}. An empty field means none.`,
  ends: 'Days with reminders',
  endsHint: 'An empty field means reminders without an end.',

  expression: 'Expression',
  expressionHint:
    'Minute, hour, day of the month, month, day of the week, as in a crontab. The form above says the same.',
  expressionKept: 'The form cannot show these days and this time, so they are kept as this expression:',
  useForm: 'Choose days and time instead',

  open: 'Expiry and quiet hours',
  expiresAfter: 'Minutes until a reminder expires',
  expiresHint: (n: number) =>
    n >= 1 && n <= 1440
      ? `Phones do not show a reminder later than ${minutes(n)} after its time. At most 24 hours.`
      : 'From 1 to 1440.',
  overlap: (gap: number) =>
    `The next random reminder may come ${minutes(gap)} later, while this one is still open.`,
  propose: (n: number) => `Expire after ${minutes(n)}`,
  unlessAnswered: 'Not if the survey was answered that day',
  answerWithin: 'Minutes to answer in time',
  answerWithinHint: 'Later answers are marked as late. An empty field means that no answer is late.',
  refusesLate: 'Refuse late answers',
  refusesLateHint:
    'Participants can then no longer answer. Answers given in time without a network still arrive.',
  unlessAnsweredHint: 'For a survey that each person answers once a day.',
  unlessAnsweredRandom:
    'After the first answer of a day, the other random reminders of that day do not come.',
  quiet:
    'Everyone can set quiet hours in the app. A reminder within quiet hours comes at their end, unless it has expired by then. Nudges within quiet hours are left out.',
  nudges: 'Nudges',
  hasNudges: 'Remind again if nobody answers',
  nudgesHint: 'The phone still shows one notification.',
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
  twice: 'Expected each language once.',
  limits: 'At most 50 languages, and 4 KB for title and text together.',
  shownAs: 'On a phone',

  preview: 'Next reminders',
  previewZone: 'For somebody in',
  previewFrom: 'From',
  previewDownloaded: 'Survey downloaded on',
  previewResponded: 'Response given',
  previewQuietFrom: 'Quiet hours begin',
  previewQuietTo: 'Quiet hours end',
  previewExample: 'An example: each person has their own times.',
  previewNone: 'No reminders: the series is over by then.',
  previewFault: 'The reminders appear here once the marked fields are correct.',
  previewOptions: 'Try other dates and quiet hours',
  nudgesAt: (times: readonly string[]) => `Nudged at ${formatList(times)}`,

  saveNew: 'Add reminders',
  save: 'Save reminders',
  remove: 'Stop reminding',
  removed: 'This survey has no reminders any more.',
  saved: 'The reminders are saved.',
  leave: 'Back without saving',
  kept: 'Your unsaved changes are here again.',
  discard: 'Discard them',

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
        ? 'Nobody has a reminder waiting.'
        : `${count(n, 'person has', 'people have')} a reminder waiting, which a new reminder replaces.`,
    pendingGone: (n: number) =>
      n === 0
        ? 'Nobody has a reminder waiting.'
        : `${count(n, 'person has', 'people have')} a reminder waiting, which will not come.`,
    people: (n: number) => `${count(n, 'person takes', 'people take')} part`,
    counting: 'Counting goes on …',
    moved: (n: number) => `${count(n, 'person gets', 'people get')} reminders at other times.`,
    added: (n: number) => `${count(n, 'person gets', 'people get')} reminders who had none before.`,
    removed: (n: number) => `${count(n, 'person gets', 'people get')} no more reminders.`,
    unchanged: (n: number) => `For ${count(n, 'person', 'people')} the next reminders stay as they are.`,
    againChoice: (n: number) =>
      `Remind ${count(n, 'person', 'people')} again today who already got a reminder today`,
    againHint: 'Otherwise their next reminder comes on another day.',
    examples: (n: number, zone: string) =>
      `The next reminders of ${n === 1 ? 'one of them' : `${n} of them`}, in the study’s zone, ${zone}`,
    person: 'Person',
    counted: (counted: number, members: number) =>
      `Counted among the first ${formatNumber(counted)} of ${count(members, 'person', 'people')} in the study.`,
    textOnly: 'Only the text changes. Days and times stay.',
    ownClock: 'Times of day are by each person’s own clock.',
    unlessAnswered: (several: boolean) =>
      several
        ? 'After the first answer of a day, the other reminders of that day do not come.'
        : 'People who have answered the survey that day get no reminder.',
    always: 'Reminders come whether or not the survey was answered that day.',
    expires: (n: number) => `A reminder expires ${minutes(n)} after its time.`,
    expiresBefore: (n: number) =>
      `A reminder expires ${minutes(n)} after its time, before the next random one can come.`,
    overlaps: (n: number, gap: number) =>
      `A reminder expires ${minutes(n)} after its time. The next random one may come ${minutes(gap)} after it, so two may be open at once.`,
    redraw: 'The remaining random times are drawn again.',
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
    expression: (text: string) => `As the expression ${text} says`,
    triggered: ({ after, at, where, each }: Triggered) =>
      `After ${each === false ? "a person's first response" : 'each response'} to another survey${where ? ' with certain answers' : ''}, ${after === 0 ? 'at once' : `${minutes(after)} later`}${at === undefined ? '' : `, when their clock next shows ${at}`}`,
  },
} as const;
