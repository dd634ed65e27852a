import { faultsIn } from './mutant.ts';

const atOnce = ['test/reminders/due-at-once.test.ts'];
const loop = ['test/platform/delivery-loop.node.slow.test.ts'];

const serial = ['test/reminders/deliveries-serial.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const changed = ['test/reminders/again.test.ts'];
const overlapping = ['test/reminders/overlapping-turns.test.ts'];
const invalidated = ['test/reminders/invalidated.test.ts'];

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
  ...faultsIn('src/reminders/state.ts', changed, [
    ['a change reminds again on a date of a push', 'toState', 'remindedUntil,\n    ),', '),'],
  ]),
  ...faultsIn('src/reminders/push-to-phones.ts', retries, [
    ['a phone gets the same push again', 'pushToPhones', '.filter((phone) => !reached.has(phone.id))', ''],
  ]),
  ...faultsIn('src/platform/server/delivery-loop.ts', loop, [
    ['turns of one user overlap on Node', 'DeliveryLoop.#excepted', '...this.#busy, ', ''],
  ]),
  ...faultsIn('src/reminders/decide.ts', overlapping, [
    [
      'a push that was under way during a change is repeated on its date',
      'decideOccurrences',
      'pending.dueAt <= state.remindedUntil || ',
      '',
    ],
  ]),
  ...faultsIn('src/reminders/claim.ts', atOnce, [
    ['a claim does not mark the turn', 'mark', 'claimed_until = ${lease}, ', ''],
  ]),
  ...faultsIn('src/reminders/deliver.ts', overlapping, [
    ['a turn pushes after its end', 'turn', ' && services.now() < now + leaseMs - longestPushMs', ''],
  ]),
  ...faultsIn('src/reminders/settle.ts', overlapping, [
    [
      'a turn that has ended lets a third one push beside the second',
      'moveCursors',
      "\n    and c.claimed_until = ${text('until')}",
      '',
    ],
    [
      'recorded turns count as turns without a record',
      'moveCursors',
      "iif(${text('isLeft')}, c.claims - 1, 0)",
      'c.claims',
    ],
  ]),
  ...faultsIn('src/reminders/history-page.ts', invalidated, [
    [
      'the history lists a notification that was taken back beside the same that comes',
      'historyPage',
      "l.state in ('sending', 'invalidated')",
      "l.state in ('sending')",
    ],
  ]),
];
