import { count, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Activity',
  about: 'All changes in this study, newest first.',
  caption: 'The activity log of the study',
  at: 'When',
  who: 'Who',
  what: 'What',
  reason: 'Reason',
  filter: 'Show',
  everything: 'Everything',
  ofItem: 'Of one item',
  removeFilter: 'Remove this filter',
  clear: 'Show everything',
  emptyTitle: 'Nothing has happened yet',
  emptyAbout:
    'Locks, archivals, deletions and changes of the study, its surveys and its members appear here.',
  noneFound: 'The log has no such entry',
  signed: (name: string, meaning: string) => `Signed by ${name}: “${meaning}”`,
  items: (cases: number, responses: number) =>
    [cases > 0 && count(cases, 'case'), responses > 0 && count(responses, 'response')]
      .filter(Boolean)
      .join(' and '),
  exportLog: 'Export',
  logFile: (study: string) => `${study}, activity`,
  headFile: (study: string) => `${study}, signed head`,
  head: 'Signed head',
  headNone:
    'This service does not sign heads of logs. The operator of the service has to set AUDIT_SIGNING_KEY.',
  verifying: 'Checking that no entry was altered',
  verifyingOf: (entries: number, total: number) =>
    `Checked ${formatNumber(entries)} of ${formatNumber(total)} entries`,
  verified: (entries: number) =>
    entries === 0
      ? 'The log has no entry yet.'
      : entries === 1
        ? 'Verified: the only entry is unaltered.'
        : `Verified: all ${formatNumber(entries)} entries are unaltered, and none is missing between them.`,
  verifiedSome: (entries: number) =>
    `Verified so far: the first ${formatNumber(entries)} entries are unaltered.`,
  verifyRest: 'Check the rest',
  broken: (at: number) =>
    `Entry ${formatNumber(at)} does not match the entry before: the log was changed outside of the service. Keep your exports, and tell the operator of the service.`,
  details: 'Details',
  position: 'Position',
  hash: 'Hash',
  before: 'Before',
  after: 'After',
  nothing: '–',
  yes: 'Yes',
  no: 'No',
  fields: {
    member: 'Member',
    code: 'Code',
    invitedBy: 'Invited by',
    role: 'Role',
    survey: 'Survey',
    name: 'Name',
    items: 'Items',
    reminders: 'Reminders',
    status: 'Status',
    filter: 'Filter',
    timeZone: 'Time zone',
    startsOn: 'Starts on',
    lockPolicy: 'Lock policy',
    frozenAt: 'Frozen since',
    unlock: 'Permission to unlock',
    signature: 'Locks need a signature',
    when: 'When, by each person’s own clock',
    minGap: 'Minutes between random times, at least',
    expiresAfter: 'Minutes until a reminder expires',
    unlessAnswered: 'Not if answered that day',
    notification: 'Text',
    subject: 'title',
    body: 'body',
    translations: 'Translation',
  } as Record<string, string>,
  /** The log has no code itself. */
  codes: { given: 'Given', changed: 'Changed', removed: 'Removed' } as Record<string, string>,
  changedItems: 'Changed items',
  showItems: 'Show them',
  case: (n: number) => `Case ${formatNumber(n)}`,
  response: (n: number) => `Response ${formatNumber(n)}`,
  actions: {
    'items.locked': 'Locked',
    'items.unlocked': 'Unlocked',
    'items.archived': 'Archived',
    'items.restored': 'Brought back',
    'items.deleted': 'Deleted',
    'survey.changed': 'Changed a survey',
    'survey.reminders-changed': 'Changed reminders',
    'member.added': 'Added a member',
    'member.removed': 'Removed a member',
    'member.role-changed': 'Changed a role',
    'member.code-changed': 'Changed a code',
    'study.changed': 'Changed the study',
    'study.frozen': 'Froze the study',
    'study.unfrozen': 'Ended the freeze',
    'study.deleted': 'Deleted the study',
    'study.restored': 'Brought the study back',
  },
} as const;
