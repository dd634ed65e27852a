import { faultsIn } from './mutant.ts';

const feed = ['test/changes/changes.test.ts'];
const webhooks = ['test/webhooks/webhooks.test.ts'];

/** Receivers learn of each change of a study, in order, and nobody inside the network is called. */
export const told = [
  ...faultsIn('migrations/0000_one_point_zero.sql', webhooks, [
    [
      'a change whose look is lost is told with the next one',
      'change_noted',
      'SET `next_attempt_at` = 0',
      'SET `next_attempt_at` = NULL',
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', feed, [
    [
      'a thing that changed again keeps its place',
      'change_noted',
      'SET `sequence` = excluded.`sequence`, ',
      'SET ',
    ],
  ]),
  ...faultsIn('src/changes/changes.ts', feed, [
    ['the last change of a copy is told again', 'fromReader', '> :after', '>= :after'],
    ['a responder reads the feed', 'latestOf', "found.role === 'responder'", "found.role === ('' as Role)"],
    [
      'a study is told the changes of another',
      'pageWithBodies',
      'where change.investigation_id = :investigation and',
      'where',
    ],
  ]),
  ...faultsIn('src/webhooks/delivery.ts', webhooks, [
    [
      'a repeated call names changes that came later',
      'claiming',
      'batch_through = coalesce(batch_through, (',
      'batch_through = coalesce(null, (',
    ],
    [
      'a position that an owner sets during a call is lost',
      'settleReceived',
      'and batch_id = :batch and position = :position',
      'and :batch <> :position',
    ],
  ]),
  ...faultsIn(
    'src/platform/server/webhook-calls.ts',
    ['test/platform/webhook-calls.node.test.ts'],
    [['a name that leads inside is called', 'openLookup', 'found.some(isClosed)', 'found.length === 0']],
  ),
];
