import { faultsIn } from './mutant.ts';

const items = ['test/items/items.test.ts', 'test/permissions/visibility.test.ts'];
const codes = ['test/studies/member-codes.test.ts'];
const lists = ['test/items/lists.test.ts', 'test/permissions/visibility.test.ts'];
const people = ['test/permissions/visibility.test.ts'];

/** Callers neither learn of nor change resources that they may not see. */
export const visible = [
  ...faultsIn('src/permissions/visibility.ts', items, [
    ['responders see hidden cases', 'mayViewCase', '${cases.hidden} = 0', '1'],
    [
      'responders see the responses of others',
      'mayViewResponse',
      'or(isStaff, eq(responses.responderId, actor))',
      'sql`1`',
    ],
    ['anyone is a member', 'asMember', 'eq(members.userId, actor)', 'sql`${actor} = ${actor}`'],
  ]),
  ...faultsIn('src/permissions/visibility.ts', lists, [
    ['lists are read by anyone', 'asReader', 'eq(members.userId, actor),', 'sql`${actor} = ${actor}`,'],
  ]),
  ...faultsIn(
    'src/locks/lock-matching.ts',
    ['test/locks/lock-matching.test.ts'],
    [
      [
        'a filter locks what the caller does not see',
        'matching',
        "kind === 'cases' ? mayViewCase(actor) : mayViewResponse(actor),",
        '',
      ],
    ],
  ),
  ...faultsIn('src/studies/members.ts', codes, [
    ['responders see the codes of others', 'shownTo', "role === 'responder' ? null : row.code", 'row.code'],
  ]),
  ...faultsIn('src/permissions/shown-people.ts', people, [
    [
      'participants see which other participant made a case, or edited an answer',
      'maySeePerson',
      "whenMember(investigation, person, 'owner', 'editor')",
      'whenMember(investigation, person)',
    ],
    [
      'participants see the list of all members',
      'peopleOfResponder',
      "staff.role <> 'responder'",
      "staff.role <> ''",
    ],
    [
      'participants read each other by identifier',
      'knows',
      "and (mine.role <> 'responder' or theirs.role <> 'responder')",
      '',
    ],
  ]),
  ...faultsIn('src/items/cases.ts', people, [
    [
      'a case shows the identifier of a participant without the name',
      'shownColumns',
      '${textOf(shownPerson(...creator))}',
      'study_case.creator_id',
    ],
  ]),
  ...faultsIn('src/studies/members.ts', people, [
    [
      'a participant who removes somebody is told whether they take part',
      'isSeen',
      "whenMember(investigation, actor, 'owner', 'editor'),",
      'whenMember(investigation, actor),',
    ],
  ]),
  ...faultsIn('src/studies/invitations.ts', people, [
    [
      'an invitation names an inviter who is a participant by now',
      'selectReceived',
      ", 'owner', 'editor')",
      ')',
    ],
  ]),
];
