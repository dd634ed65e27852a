import { faultsIn } from './mutant.ts';

const loop = ['test/platform/delivery-loop.node.slow.test.ts'];
const objects = ['test/reminders/delivery-objects.test.ts'];

const dailyLimit = ['test/reminders/daily-limit.test.ts'];
const invitations = ['test/studies/invitations.test.ts'];

/** Nobody's requests, studies or invitations cost another person a reminder, an item, or more than a tenth of a second. */
export const fair = [
  ...faultsIn('src/studies/invitations.ts', invitations, [
    [
      "strangers' invitations take the place of others",
      'countFromInviter',
      'and(eq(invitations.invitedBy, inviter), eq(invitations.email, email))',
      'inviter ? eq(invitations.email, email) : undefined',
    ],
  ]),
  ...faultsIn(
    'src/schedule/foresee.ts',
    ['test/schedule/foresee.node.test.ts'],
    [
      [
        'an agenda looks at as many occurrences as there are',
        'foresee',
        'looked === maxLooked',
        'looked < 0',
      ],
    ],
  ),
  ...faultsIn(
    'src/http/rate-limits.ts',
    ['test/http/rate-limits.test.ts'],
    [
      [
        'an address over its limit still makes work',
        'limitRefused',
        'leftMs > 0 && !mayHaveToken(c)',
        'leftMs > Infinity',
      ],
    ],
  ),
  ...faultsIn('src/reminders/daily-pushes.ts', dailyLimit, [
    [
      'a day of one study counts what others have pushed',
      'tallies',
      "s.investigation_id = d.value ->> 'study'",
      'true',
    ],
    ['the limit of a day counts the last hours', 'recentPushes', '${2 * talliedMs}', '${dayMs / 8}'],
  ]),
  ...faultsIn('src/platform/cloudflare/collect.ts', objects, [
    [
      'one caller fails with the others of its batch',
      'collect',
      'calls.length === 1 || isSharedFault(error)',
      'calls.length > 0',
    ],
  ]),
  ...faultsIn('src/reminders/deliver.ts', loop, [
    [
      'one refused record costs the others of its turn theirs',
      'recordAll',
      '!one || isSharedFault(error)',
      '!one || results.length > 1',
    ],
  ]),
  ...faultsIn('src/platform/server/delivery-loop.ts', loop, [
    [
      'everybody waits for the slowest push',
      'DeliveryLoop.#noteClaimed',
      'if (users.length > 0) await this.#look(0);',
      '',
    ],
    [
      'one user whose cursors cannot be claimed holds up all',
      'DeliveryLoop.#noteRefused',
      'if (first) this.#refused.set(first.user, now() + refusedMs);',
      'void [first, refusedMs];',
    ],
  ]),
];
