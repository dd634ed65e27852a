import { faultsIn } from './mutant.ts';

const serial = ['test/reminders/deliveries-serial.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const changed = ['test/reminders/again.test.ts'];

/** An occurrence is settled at most once, and pushed at most once per device. */
export const once = [
  ...faultsIn('src/platform/cloudflare/user-deliveries.ts', serial, [
    [
      'deliveries of one user overlap',
      'UserDeliveries.deliver',
      'this.#last.then(() => this.#deliverAndArm(user))',
      'this.#deliverAndArm(user)',
    ],
  ]),
  ...faultsIn(
    'src/platform/server/alarm-scheduler.ts',
    ['test/platform/alarm-scheduler.slow.test.ts'],
    [
      [
        'deliveries of one user overlap on Node',
        'AlarmScheduler.deliver',
        'this.#running.get(user) ?? Promise.resolve()',
        'Promise.resolve()',
      ],
    ],
  ),
  ...faultsIn(
    'src/phones/registration.ts',
    ['test/phones/devices-races.test.ts'],
    [
      [
        'a phone that somebody else registers stays theirs too',
        'add',
        'release(context, rival),',
        'release(context, noDevice),',
      ],
    ],
  ),
  ...faultsIn('src/reminders/plan-changes.ts', serial, [
    ['a superseded row stays pending', 'planChanges', 'of passed)', 'of passed.slice(1))'],
  ]),
  ...faultsIn('src/reminders/state.ts', changed, [
    ['a change reminds again on a date of a push', 'toState', 'remindedUntil,\n    ),', '),'],
  ]),
  ...faultsIn('src/reminders/lifecycle.ts', changed, [
    [
      'a push that was under way during a change is repeated on its date',
      'decideOccurrences',
      'pending.dueAt <= state.remindedUntil || ',
      '',
    ],
  ]),
  ...faultsIn('src/reminders/push-to-phones.ts', retries, [
    ['a phone gets the same push again', 'pushToPhones', '.filter((phone) => !reached.has(phone.id))', ''],
  ]),
];
