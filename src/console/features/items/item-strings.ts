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
  kindsLabel: 'Listed items',
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
  unknownCase: 'Hidden case',
  noneTitle: { cases: 'There are no cases yet', responses: 'There are no responses yet' },
  noneAbout: {
    cases:
      'Each response is about a case. The study’s app creates cases, and so can any program through the API.',
    responses: 'Responses appear here as participants answer the study’s surveys.',
  },
  noneFound: 'Nothing fits these filters',
  tooMany: (n: number) => `At most ${count(n, 'item')} at once. “Lock by filter” takes any number.`,
  /** The buttons, and the verbs of the question before them. */
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
    lock: 'Nobody can change a locked item, by any way, until somebody unlocks the item. The activity log keeps the person and the reason.',
    unlock: 'Unlocked items can be changed again. The activity log keeps the person and the reason.',
    archive:
      'Archived items cannot be changed. Lists leave them out, except with the filter for archived items.',
    unarchive: 'The items can be changed again.',
    delete: 'Deleted items disappear for everyone at once. For 30 days an owner can bring them back.',
    restore: 'The items return to the lists unchanged.',
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
  undoing: (what: string) => `Undoing the change of ${what}.`,
  undoneSome: (done: number, total: number, why: string) =>
    `Undone for ${formatNumber(done)} of ${formatNumber(total)}, and no further: ${why}`,
  undoReason: 'Undone in the console',
  items: many,
  both,
  reason: 'Reason',
  reasonHint: 'Kept in the activity log. Optional.',
  reasonNeeded: 'Kept in the activity log.',
  meaning: 'Meaning of your signature',
  meaningHint: (name: string) => `Signed as ${name}, with the time. For example: “Reviewed and approved”.`,
  signatureNeeded: 'This study asks for a signature, which needs a sign-in of the last five minutes.',
  signInToSign: 'Sign in again to sign',
  signLocal: 'Open a new link to sign in afresh, and repeat the change:',
  lockedAmong: (n: number, names: string) =>
    n === 1
      ? `One of the items is locked, so nothing was changed: ${names}. Unlock the item first.`
      : `${n} of the items are locked, so nothing was changed: ${names}. Unlock them first.`,
  andMore: (n: number) => `and ${n} more`,
  goneAmong: (n: number) =>
    `${count(n, 'item')} cannot be found any more, so nothing was changed. The list is up to date now.`,
  /** Changes by somebody else. */
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
    about: 'One step for all matching items that you may see, with one entry in the activity log.',
    status: 'Action',
    locked: 'Lock',
    unlocked: 'Unlock',
    kinds: 'Kinds of items',
    before: 'Created before',
    beforeHint: (zone: string) => `In your time zone: ${zone}. Empty for all dates.`,
    surveyHint: 'Only responses have a survey.',
    count: 'Count matching items',
    back: 'Change the filter',
    found: (status: 'locked' | 'unlocked', what: string) =>
      status === 'locked' ? `${what} will be locked.` : `${what} will be unlocked.`,
    foundNothing: (status: 'locked' | 'unlocked') =>
      status === 'locked' ? 'No matching item is unlocked.' : 'No matching item is locked.',
    go: (status: 'locked' | 'unlocked', what: string) => `${status === 'locked' ? 'Lock' : 'Unlock'} ${what}`,
    working: (what: string) => `Working on ${what}. 100,000 items take up to a minute; you can wait here.`,
  },
  freeze: {
    button: 'Freeze study',
    endButton: 'End the freeze',
    title: 'Freeze this study?',
    endTitle: 'End the freeze?',
    about:
      'While a study is frozen, nobody can create or change a case, a response, a survey or a lock of the study. Everybody can still read. Reminders are skipped.',
    endAbout: 'Cases, responses, surveys and locks can be changed again, and reminders go on.',
    done: 'The study is frozen.',
    ended: 'The freeze has ended.',
  },
  response: {
    /** The label of the case is absent while it loads, or if the person may not see the case. */
    title: (label?: string | null) => (label ? `Response for ${label}` : 'Response'),
    back: 'All responses',
    by: 'By',
    given: 'Given',
    received: 'Received',
    givenOffline: 'given offline',
    noAnswer: 'No answer',
    reasonCode: (n: number) => `Reason ${n}`,
    answersTitle: 'Answers',
    revisions: 'Revisions',
    revisionsAbout: 'Newest first, each with its changes.',
    first: 'First answers',
    showAll: 'Show the whole answer',
  },
} as const;
