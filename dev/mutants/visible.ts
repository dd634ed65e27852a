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
  ...faultsIn(
    'src/locks/signatures.ts',
    ['test/locks/locked-by.test.ts'],
    [
      [
        'responders learn who locked an item, and why',
        'lockEntry',
        "current_member.role <> 'responder'",
        '1',
      ],
    ],
  ),
  ...faultsIn('src/studies/members.ts', codes, [
    ['responders see the codes of others', 'shownTo', "role === 'responder' ? null : row.code", 'row.code'],
    [
      'editors see the addresses of members',
      'shownTo',
      "role === 'owner' ? row.invitedAs : null",
      'row.invitedAs',
    ],
  ]),
  ...faultsIn('src/studies/codes.ts', codes, [
    [
      'a code that an invitation holds is given away',
      'isTaken',
      'v.created_at > ${now',
      'v.created_at < ${-now',
    ],
  ]),
  ...faultsIn(
    'src/people/sign-ups.ts',
    ['test/people/emails.test.ts'],
    [
      [
        'who proved an address earlier takes it',
        'isNewest',
        'and other.email_proved_at > ${provedAt})',
        'and ${provedAt} < 0)',
      ],
    ],
  ),
  ...faultsIn(
    'src/http/auth/authenticate.ts',
    ['test/http/authentication.test.ts'],
    [['a token is trusted from the future on', 'cachedVerify', 'cached.at <= now && ', '']],
  ),
];
