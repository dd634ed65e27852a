import { faultsIn } from './mutant.ts';

const snoozes = ['test/reminders/lost-pushes.test.ts'];
const belonging = ['test/reminders/belonging.test.ts'];
const atOnce = ['test/reminders/due-at-once.test.ts'];
const onD1 = ['test/reminders/refused-writes.test.ts'];
const overlapping = ['test/reminders/overlapping-turns.test.ts'];
const objects = ['test/reminders/delivery-objects.test.ts'];

/** A push that could not be recorded is never repeated by a process that is alive. */
export const recorded = [
  ...faultsIn('src/reminders/settle.ts', overlapping, [
    [
      'a reminder settled otherwise during its push stays unsent',
      'upsertNotifications',
      "or (notification.state <> 'sent' and excluded.state = 'sent')",
      '',
    ],
  ]),
  ...faultsIn('src/platform/cloudflare/joined-turns.ts', objects, [
    [
      'claims that wait in a delivery object are lost at its reset',
      'resetRetry',
      'maxAttempts: 3',
      'maxAttempts: 1',
    ],
  ]),
  ...faultsIn('src/platform/cloudflare/collect.ts', objects, [
    [
      'calls that failed together are not tried one by one',
      'collect',
      'for (const call of calls) await run([call]);',
      'for (const call of calls.slice(1)) await run([call]);',
    ],
  ]),
  ...faultsIn('src/reminders/claim.ts', onD1, [
    [
      'pushes begin without a row that can be recorded',
      'insertSending',
      'and c.attempt_at <= :now)',
      'and c.attempt_at < 0)',
    ],
  ]),
  ...faultsIn('src/reminders/claim.ts', atOnce, [
    ['a turn that ended without a record never ends', 'leases', '[minuteMs,', '[9000 * minuteMs,'],
  ]),
  ...faultsIn('src/reminders/claim.ts', belonging, [
    [
      'an answer before its notification is forgotten',
      'insertSending',
      "${answerOf('c.id', 'c.due_at')} as answered",
      'null as answered',
    ],
  ]),
  ...faultsIn('src/reminders/settle.ts', snoozes, [
    [
      'a snooze that comes during a turn is forgotten',
      'moveCursors',
      "snoozed_until = iif(c.snoozed_until is ${text('readSnooze')}, ",
      'snoozed_until = iif(1, ',
    ],
  ]),
];
