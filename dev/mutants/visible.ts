import { faultsIn } from './mutant.ts';

const items = ['test/items/items.test.ts', 'test/access/visibility.test.ts'];
const codes = ['test/studies/codes.test.ts'];
const lists = ['test/items/lists.test.ts', 'test/access/visibility.test.ts'];

/** Callers neither learn of nor change resources that they may not see. */
export const visible = [
  ...faultsIn('src/access/visibility.ts', items, [
    ['responders see hidden cases', 'mayViewCase', '${cases.hidden} = 0', '1'],
    [
      'responders see the responses of others',
      'mayViewResponse',
      'or(isStaff, eq(responses.responderId, actor))',
      'sql`1`',
    ],
    ['anyone is a member', 'asMember', 'eq(members.userId, actor)', 'sql`${actor} = ${actor}`'],
  ]),
  ...faultsIn('src/access/visibility.ts', lists, [
    ['lists are read by anyone', 'asReader', 'eq(members.userId, actor),', 'sql`${actor} = ${actor}`,'],
  ]),
  ...faultsIn(
    'src/locks/matching.ts',
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
];
