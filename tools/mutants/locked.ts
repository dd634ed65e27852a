import { faultsIn } from './mutant.ts';

const interrupted = ['test/items/items-interrupted.test.ts'];
const states = ['test/locks/item-states.test.ts'];
const matching = ['test/locks/lock-matching.test.ts'];
const policies = ['test/locks/lock-policies.test.ts'];
const freezes = ['test/locks/freezes-proof.slow.test.ts'];

/** No route changes a locked item, and each change of state has its activity entry, in the same transaction. */
export const locked = [
  ...faultsIn('src/permissions/edit-guards.ts', interrupted, [
    [
      'an edit does not look at the lock',
      'checkEdit',
      'if (lockedAt !== null) throw locked',
      'if (false as boolean) throw locked',
    ],
    ['a lock that comes during an edit loses', 'stillEditable', 'isNull(table.lockedAt),', ''],
  ]),
  ...faultsIn('src/items/responses.ts', interrupted, [
    [
      'a case that is locked meanwhile takes a response',
      'insertResponse',
      '${cases.lockedAt} is null and ',
      '',
    ],
  ]),
  ...faultsIn('src/locks/item-states.ts', states, [
    ['a lock is not in the log', 'changeItems', 'appendActivity(db, chained),', ''],
  ]),
  ...faultsIn('src/locks/lock-matching.ts', matching, [
    ['a filter locks what comes after the request', 'filtered', 'lte(table.createdAt, now),', ''],
    [
      'a filter locks what did not change since',
      'rangesOf',
      'filter.since === undefined',
      'filter.since !== null',
    ],
  ]),
  ...faultsIn('src/permissions/lock-policies.ts', policies, [
    ['nobody signs where the policy asks for it', 'sign', 'if (study?.policy?.signature)', 'if (now < 0)'],
  ]),
  ...faultsIn(
    'src/log/activities.ts',
    ['test/log/activity-log.test.ts'],
    [
      [
        'entries are not chained to the one before',
        'chainEntry',
        'chainedHash(head.hash, row)',
        'chainedHash(genesis.hash, row)',
      ],
    ],
  ),
  ...faultsIn('migrations/0000_one_point_zero.sql', freezes, [
    ['a frozen study takes a case', 'case_added', '`frozen_at` IS NOT NULL', '0'],
  ]),
];
