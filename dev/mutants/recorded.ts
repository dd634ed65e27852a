import { faultsIn } from './mutant.ts';

const objects = ['test/reminders/delivery-objects.test.ts'];
const joined = ['test/db/join-batches.test.ts'];
const onD1 = ['test/reminders/unrecorded.test.ts'];
const onFiles = ['test/platform/unrecorded.test.ts'];

/** A push that could not be recorded is never repeated by a process that is alive. */
export const recorded = [
  ...faultsIn(
    'src/reminders/statements.ts',
    ['test/reminders/deliveries-mishaps.test.ts'],
    [
      [
        'a reminder settled otherwise during its push stays unsent',
        'isUnfinished',
        " or (${isUnsent} and excluded.state = 'sent')",
        '',
      ],
    ],
  ),
  ...faultsIn('src/platform/cloudflare/delivery-database.ts', objects, [
    [
      'calls that wait in a delivery object are lost at its reset',
      'resetRetry',
      'maxAttempts: 3',
      'maxAttempts: 1',
    ],
  ]),
  ...faultsIn('src/db/join-batches.ts', joined, [
    [
      'calls that failed together are not tried one by one',
      'joinBatches',
      'for (const call of calls) await run([call]);',
      'for (const call of calls.slice(1)) await run([call]);',
    ],
  ]),
  ...faultsIn('src/reminders/unrecorded.ts', onFiles, [
    [
      'a push whose record was refused is forgotten',
      'recordPushes',
      'if (!isKept) await services.unrecorded.write(user, textOf(carriedOut));',
      '',
    ],
    [
      'a push whose record was kept is repeated',
      'recordKept',
      'if (text === null) return;',
      'if (text !== "") return;',
    ],
  ]),
  ...faultsIn('src/platform/cloudflare/user-alarm.ts', onD1, [
    [
      'pushes without a record are lost with the object of the user',
      'UserAlarm',
      "await this.ctx.storage.put('unrecorded', text);",
      'void text;',
    ],
  ]),
  ...faultsIn('src/reminders/writes.ts', onFiles, [
    ['pushes begin without a proof that they can be recorded', 'canRecord', 'await writeAndRemove(db);', ''],
  ]),
];
