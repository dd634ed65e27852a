import { faultsIn } from './mutant.ts';

const serial = ['test/reminders/deliveries-serial.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const secondPhone = ['test/reminders/second-phone.test.ts'];
const onD1 = ['test/reminders/unrecorded.test.ts'];
const onFiles = ['test/platform/unrecorded.test.ts'];

const changed = ['test/reminders/again.test.ts'];
const triggered = ['test/reminders/triggers.test.ts'];

/** An occurrence is settled at most once, and pushed at most once per device. */
export const once = [
  ...faultsIn('src/reminders/triggers.ts', triggered, [
    [
      'a response that was reminded of is reminded of again',
      'isSettled',
      "settled.state <> 'invalidated'",
      "settled.state = 'invalidated'",
    ],
  ]),
  ...faultsIn(
    'src/schedule/triggers.ts',
    ['test/reminders/triggers.node.test.ts'],
    [
      ['the occurrence of a response comes again', 'openTriggers', '!settled && ', ''],
      ['dates that go back hide a pending row', 'behind', 'on > settled.on', 'on !== settled.on'],
    ],
  ),
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
  ...faultsIn(
    'src/reminders/plan-changes.ts',
    ['test/reminders/triggers.node.test.ts'],
    [
      [
        'a reminder of a response that is passed is settled, and comes again',
        'planChanges',
        'partition(superseded, isTriggered)',
        'partition(superseded, () => false)',
      ],
    ],
  ),
  ...faultsIn('src/reminders/state.ts', changed, [
    ['a change reminds again on a date of a push', 'toState', 'remindedUntil,\n    ),', '),'],
    [
      'a change reminds again on a date of a push before the change before',
      'pushedBefore',
      'y.revision < ${revision}',
      'y.revision = ${revision} - 1',
    ],
    [
      'a date that was settled without a push is taken for one with a push',
      'pushedBefore',
      "where y.state = 'sent'",
      'where y.settled_at > 0',
    ],
    ['nobody is reminded again where the change says so', 'reminderColumns', ' and not s.reminds_again', ''],
    [
      'a traveller is reminded twice on a date that comes twice',
      'endOfPush',
      'lastInstantOf(last, timeZone)',
      "lastInstantOf(last, knownZone(pushes[0]?.[1] ?? ''))",
    ],
    [
      'a push counts for the date on which it was due alone',
      'endOfPush',
      'localDate(at, knownZone(zone))',
      'localDate(at - 8 * 3_600_000, knownZone(zone))',
    ],
  ]),
  ...faultsIn('src/reminders/lifecycle.ts', changed, [
    [
      'a push that was under way during a change is repeated on its date',
      'decideOccurrences',
      'pending.dueAt <= state.remindedUntil || ',
      '',
    ],
  ]),
  ...faultsIn(
    'src/reminders/lifecycle.ts',
    ['test/reminders/triggers.node.test.ts'],
    [
      [
        'a response whose push was under way during a change is reminded of again',
        'decideOccurrences',
        ' || isSettledBy(state, slotOf(pending.key))',
        '',
      ],
    ],
  ),
  ...faultsIn('src/studies/surveys.ts', changed, [
    [
      'a change that reminds again is not told from others',
      'updateSurvey',
      'remindsAgain: again }',
      'remindsAgain: false }',
    ],
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
  ...faultsIn('src/reminders/unrecorded.ts', onFiles, [
    [
      'what was pushed and could not be recorded is forgotten',
      'recordPushes',
      'if (!isKept) await services.unrecorded.write(user, textOf(carriedOut));',
      '',
    ],
    ['what was kept is pushed again', 'recordKept', 'if (text === null) return;', 'if (text !== "") return;'],
    [
      'a record that is refused is given up before its reminder has expired',
      'recordKept',
      'services.now() < expiresAt || ',
      '',
    ],
    ['pushes go on when nothing more can be kept', 'mayPush', '!services.unrecorded.isFull() && ', ''],
  ]),
  ...faultsIn('src/platform/cloudflare/user-alarm.ts', onD1, [
    [
      'what a user was pushed and has no record is lost with their object',
      'UserAlarm',
      "await this.ctx.storage.put('unrecorded', text);",
      'void text;',
    ],
  ]),
  ...faultsIn('src/reminders/writes.ts', onFiles, [
    ['nobody proves that anything can be written', 'canRecord', 'await writeAndRemove(db);', ''],
    [
      'a process whose records fail needs no proof',
      'noteUnwritten',
      'writes.provedAt = null;',
      'void writes;',
    ],
    ['a write without a new page proves that a record can be written', 'proofBytes', '32_768', '2'],
  ]),
];
