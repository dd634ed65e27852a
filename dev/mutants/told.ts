import { faultsIn } from './mutant.ts';

const feed = ['test/changes/changes.test.ts'];
const webhooks = ['test/changes/webhooks.test.ts'];

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
    [
      'a page leaves out the changes before its own',
      'page',
      'order by sequence limit',
      'order by sequence desc limit',
    ],
    ['a copy of other data goes on', 'listChanges', 'after > latest', 'after < 0'],
    ['a responder reads the feed', 'latestOf', "found.role === 'responder'", "found.role === ('' as Role)"],
    [
      'a page of things is in no order',
      'pageWithBodies',
      ' order by page.sequence`',
      ' order by page.identifier`',
    ],
    ['a page of things has no bound', 'pageWithBodies', 'page.total <= ${pageBytes}', 'page.total > 0'],
    [
      'a study is told the changes of another',
      'pageWithBodies',
      'where change.investigation_id = :investigation and',
      'where',
    ],
  ]),
  ...faultsIn('src/changes/bodies.ts', feed, [
    [
      'editors learn how members were invited',
      'selects',
      "iif(current_member.role = 'owner', m.invited_as, null)",
      'm.invited_as',
    ],
  ]),
  ...faultsIn('src/changes/webhook-delivery.ts', webhooks, [
    [
      'a repeated call names changes that came later',
      'claiming',
      'batch_through = coalesce(batch_through, (',
      'batch_through = coalesce(null, (',
    ],
    [
      'slow receivers of one study hold up those of others',
      'inTurns',
      '.sort((a, b) => a.turn - b.turn)',
      '',
    ],
    [
      'a position that an owner sets during a call is lost',
      'settleReceived',
      'and batch_id = :batch and position = :position',
      'and :batch <> :position',
    ],
    ['a replaced secret signs for good', 'callSigned', 'at < previousUntil', 'at > 0'],
    ['the last calls are kept without end', 'withCall', 'limit ${keptCalls}', ''],
  ]),
  ...faultsIn(
    'src/changes/webhook-plan.ts',
    ['test/changes/webhook-plan.node.test.ts'],
    [['a receiver that is gone is called for ever', 'afterFailure', '|| now >= end', '']],
  ),
  ...faultsIn(
    'src/platform/server/webhook-calls.ts',
    ['test/platform/webhook-calls.test.ts'],
    [
      [
        'a name that leads inside is called',
        'openLookup',
        'found.some(({ address }) => isClosedAddress(address))',
        'found.length === 0',
      ],
    ],
  ),
  ...faultsIn(
    'src/people/pauses.ts',
    ['test/people/pauses.test.ts'],
    [
      [
        'pauses vanish when somebody deletes a study',
        'selectStudyPauses',
        'sql`member.investigation_id`',
        'sql`investigation_id`',
      ],
    ],
  ),
];
