import { faultsIn } from './mutant.ts';

const objects = ['test/reminders/delivery-objects.test.ts'];
const joined = ['test/db/join-batches.test.ts'];

/** A push that could not be recorded is never repeated by a process that is alive. */
export const recorded = [
  ...faultsIn(
    'src/reminders/statements.ts',
    ['test/reminders/deliveries-mishaps.test.ts'],
    [
      [
        'what was settled otherwise during a push stays unsent',
        'isUnfinished',
        " or (${isUnsent} and excluded.state = 'sent')",
        '',
      ],
    ],
  ),
  ...faultsIn('src/platform/cloudflare/delivery-database.ts', objects, [
    [
      'what waits in a delivery object that is reset is lost',
      'resetRetry',
      'maxAttempts: 3',
      'maxAttempts: 1',
    ],
  ]),
  ...faultsIn(
    'src/platform/cloudflare/delivery-batches.ts',
    ['test/platform/delivery-batches.test.ts'],
    [
      [
        'records of pushes wait behind deliveries that begin',
        'joinDeliveries',
        'statements.every(isRead) ? reads',
        'statements.length > 0 ? reads',
      ],
    ],
  ),
  ...faultsIn('src/db/join-batches.ts', joined, [
    [
      'what failed together is not asked again by itself',
      'joinBatches',
      'for (const call of calls) await run([call]);',
      'for (const call of calls.slice(1)) await run([call]);',
    ],
  ]),
];
