import { faultsIn } from './mutant.ts';

const serial = ['test/reminders/deliveries-serial.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const secondPhone = ['test/reminders/second-phone.test.ts'];

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
    ['a superseded row stays pending', 'planChanges', 'of superseded)', 'of superseded.slice(1))'],
  ]),
  ...faultsIn('src/reminders/push-to-phones.ts', retries, [
    ['a phone that has it gets it again', 'pushToPhones', '.filter((phone) => !reached.has(phone.id))', ''],
  ]),
  ...faultsIn('src/reminders/pushed.ts', secondPhone, [
    [
      'a phone that has the first push gets it again',
      'triedBefore',
      'deliveries: deliveriesOf(notification)',
      'deliveries: []',
    ],
  ]),
];
