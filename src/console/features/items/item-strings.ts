import { count, formatNumber } from '../../format.ts';

const items = { cases: ['case', 'cases'], responses: ['response', 'responses'] } as const;
const many = (kind: keyof typeof items, n: number) => count(n, items[kind][0], items[kind][1]);
const both = (cases: number, responses: number) =>
  [cases > 0 && many('cases', cases), responses > 0 && many('responses', responses)]
    .filter(Boolean)
    .join(' and ') || 'nothing';

export const strings = {
  title: 'Data',
  about: 'Cases and the responses about them.',
  kinds: { cases: 'Cases', responses: 'Responses' },
  file: (study: string, kind: keyof typeof items) => `${study}, ${kind}`,
  kindsLabel: 'What is listed',
  filters: 'Filters',
  state: 'State',
  states: {
    active: 'Not archived',
    open: 'Not locked',
    locked: 'Locked',
    archived: 'Archived',
    deleted: 'Deleted in the last 30 days',
  },
  survey: 'Survey',
  since: 'Changed since',
  sinceDate: (date: string) => `Changed since ${date}`,
  ofCase: (label: string) => `Of the case “${label}”`,
  ofResponder: (name: string) => `Of ${name}`,
  removeFilter: 'Remove this filter',
  clearFilters: 'Show everything',
  caption: { cases: 'Cases of the study', responses: 'Responses of the study' },
  case: 'Case',
  label: 'Label',
  responder: 'By',
  creator: 'Created by',
  answers: 'Answers',
  changed: 'Latest change',
  created: 'Created',
  hidden: 'Hidden from participants',
  signed: (name: string, meaning: string) => `Signed by ${name}: “${meaning}”`,
  unknownCase: 'A case that you may not see',
  noneTitle: { cases: 'There are no cases yet', responses: 'There are no responses yet' },
  noneAbout: {
    cases: 'Cases are what responses are about. The study’s app creates them, or any program by the API.',
    responses: 'Responses appear here as participants answer the study’s surveys.',
  },
  noneFound: 'Nothing fits these filters',
  tooMany: (n: number) => `At most ${count(n, 'item')} at once. “Lock by filter” takes any number.`,
  /** The buttons, and what the question before them says. */
  changes: {
    lock: 'Lock',
    unlock: 'Unlock',
    archive: 'Archive',
    unarchive: 'Bring back',
    delete: 'Delete',
    restore: 'Bring back',
  },
  ask: {
    lock: (what: string) => `Lock ${what}?`,
    unlock: (what: string) => `Unlock ${what}?`,
    archive: (what: string) => `Archive ${what}?`,
    unarchive: (what: string) => `Bring ${what} back from the archive?`,
    delete: (what: string) => `Delete ${what}?`,
    restore: (what: string) => `Bring ${what} back?`,
  },
  explain: {
    lock: 'Nobody can change what is locked, by any way, until it is unlocked. The activity log keeps who locked it and why.',
    unlock: 'What is unlocked can be changed again. The activity log keeps who unlocked it and why.',
    archive: 'What is archived cannot be changed, and is left out of lists unless they ask for it.',
    unarchive: 'It can be changed again.',
    delete: 'It is gone for everyone at once. An owner can bring it back for 30 days.',
    restore: 'It is in the lists again, as it was.',
  },
  done: {
    lock: (what: string) => `Locked ${what}.`,
    unlock: (what: string) => `Unlocked ${what}.`,
    archive: (what: string) => `Archived ${what}.`,
    unarchive: (what: string) => `Brought ${what} back from the archive.`,
    delete: (what: string) => `Deleted ${what}.`,
    restore: (what: string) => `Brought ${what} back.`,
  },
  undone: 'Undone.',
  undoing: (what: string) => `Undoing it for ${what}.`,
  undoneSome: (done: number, total: number, why: string) =>
    `Undone for ${formatNumber(done)} of ${formatNumber(total)}, and no further: ${why}`,
  undoReason: 'Undone in the console',
  items: many,
  both,
  reason: 'Reason',
  reasonHint: 'Kept in the activity log. Optional.',
  reasonNeeded: 'Kept in the activity log.',
  meaning: 'What your signature means',
  meaningHint: (name: string) => `Signed as ${name}, with the time. For example: “Reviewed and approved”.`,
  signatureNeeded: 'This study asks for a signature, which needs a sign-in of the last five minutes.',
  signInToSign: 'Sign in again to sign',
  signLocal: 'Open a new link, which signs you in afresh, and repeat this:',
  lockedAmong: (n: number, names: string) =>
    n === 1
      ? `One of them is locked, so nothing was changed: ${names}. Unlock it first.`
      : `${n} of them are locked, so nothing was changed: ${names}. Unlock them first.`,
  andMore: (n: number) => `and ${n} more`,
  goneAmong: (n: number) =>
    `${count(n, 'item')} of these cannot be found any more, so nothing was changed. The list shows what there is now.`,
  /** What somebody else did meanwhile. */
  others: {
    'items.locked': (who: string, what: string) => `${who} locked ${what}.`,
    'items.unlocked': (who: string, what: string) => `${who} unlocked ${what}.`,
    'items.archived': (who: string, what: string) => `${who} archived ${what}.`,
    'items.restored': (who: string, what: string) => `${who} brought ${what} back.`,
    'items.deleted': (who: string, what: string) => `${who} deleted ${what}.`,
    'study.frozen': (who: string) => `${who} froze the study.`,
    'study.unfrozen': (who: string) => `${who} ended the freeze.`,
  } as Record<string, (who: string, what: string) => string>,
  matching: {
    button: 'Lock by filter',
    title: 'Lock or unlock by filter',
    about:
      'Everything that the filter finds and you may see, in one step, with one entry of the activity log.',
    status: 'What to do',
    locked: 'Lock',
    unlocked: 'Unlock',
    kinds: 'Of these kinds',
    before: 'Created before',
    beforeHint: (zone: string) => `In your time: ${zone}. Everything if left empty.`,
    surveyHint: 'Finds responses only.',
    count: 'Count what it finds',
    back: 'Change the filter',
    found: (status: 'locked' | 'unlocked', what: string) =>
      status === 'locked' ? `This locks ${what}.` : `This unlocks ${what}.`,
    foundNothing: (status: 'locked' | 'unlocked') =>
      status === 'locked' ? 'Nothing that it finds is unlocked.' : 'Nothing that it finds is locked.',
    go: (status: 'locked' | 'unlocked', what: string) => `${status === 'locked' ? 'Lock' : 'Unlock'} ${what}`,
    working: (what: string) => `Working on ${what}. 100,000 take up to a minute; you can wait here.`,
  },
  freeze: {
    button: 'Freeze study',
    endButton: 'End the freeze',
    title: 'Freeze this study?',
    endTitle: 'End the freeze?',
    about:
      'While a study is frozen, nobody can create or change a case, a response, a survey or a lock in it. Reading goes on; reminders are skipped.',
    endAbout: 'Cases, responses, surveys and locks can be changed again, and reminders go on.',
    done: 'The study is frozen.',
    ended: 'The freeze has ended.',
  },
  response: {
    /** Of a case whose label is still asked for, or cannot be seen, without it. */
    title: (label?: string | null) => (label ? `Response for ${label}` : 'Response'),
    back: 'All responses',
    by: 'By',
    noAnswer: 'No answer',
    reasonCode: (n: number) => `Reason ${n}`,
    answersTitle: 'Answers',
    revisions: 'Revisions',
    revisionsAbout: 'Newest first, each with what it changed.',
    first: 'First answers',
    unknownAuthor: 'Somebody who is no longer a member',
    showAll: 'Show the whole answer',
  },
} as const;
