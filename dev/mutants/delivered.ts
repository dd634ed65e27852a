import { faultsIn } from './mutant.ts';

const serial = ['test/reminders/deliveries-serial.test.ts'];
const alarms = ['test/simulator/regressions.slow.test.ts'];
const scheduler = ['test/platform/alarm-scheduler.slow.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const sweep = ['test/operations/sweep.test.ts'];
const onD1 = ['test/reminders/unrecorded.test.ts'];
const onFiles = ['test/platform/unrecorded.test.ts'];

/** Nothing due is lost: each occurrence ends as sent, skipped with a reason, or failed with an error; late at most. */
export const delivered = [
  ...faultsIn('src/platform/cloudflare/user-deliveries.ts', serial, [
    [
      'an alarm that failed does not ring again',
      'UserDeliveries.alarm',
      'await this.#platform.setAlarm(now() + backoffMs(this.#faults, alarmBackoff), user);',
      'void [now, backoffMs, alarmBackoff];',
    ],
  ]),
  ...faultsIn('src/reminders/alarm-times.ts', alarms, [
    ['a later alarm replaces the earlier', 'rearmedAt', 'current <= wanted', 'current > wanted'],
  ]),
  ...faultsIn('src/platform/server/alarm-scheduler.ts', scheduler, [
    [
      'what is planned for a moment that was read already waits for the sweep',
      'AlarmScheduler.arm',
      'this.#readAgainFrom(at);',
      '',
    ],
    [
      'what is planned during a read, for a moment within its page, waits for the sweep',
      'AlarmScheduler.#handOver',
      'this.#readAgainFrom(this.#armedAt);',
      '',
    ],
    [
      'a cursor that was moved back meanwhile goes on from where it was',
      'AlarmScheduler.#handOver',
      'if (this.#cursor === after) ',
      '',
    ],
    ['a clock that was set delivers', 'AlarmScheduler.#deliverAndArm', 'await this.#mustWait()', 'false'],
  ]),
  ...faultsIn('src/platform/server/alarm-scheduler.ts', onFiles, [
    [
      'once something can be written, each person waits for their own next try',
      'AlarmScheduler.#mustWait',
      ' && (await canRecord(services))',
      '',
    ],
  ]),
  ...faultsIn('src/operations/sweep.ts', sweep, [
    [
      'a sweep settles by a clock that was set',
      'sweep',
      'if (services.clockAgrees?.() === false) return;',
      '',
    ],
  ]),
  ...faultsIn(
    'src/platform/server/clock.ts',
    ['test/platform/clock.test.ts'],
    [['a clock that was set is believed', 'compareClocks', 'Math.abs(aheadMs) <= toleranceMs', 'true']],
  ),
  ...faultsIn('src/operations/sweep.ts', onFiles, [
    ['a sweep that cannot write tells nobody', 'sweep', 'noteUnwritten(services);', ''],
  ]),
  ...faultsIn('src/operations/routes/operations.ts', onD1, [
    [
      'readiness does not say that nothing can be written',
      'toReadiness',
      'database: !canWrite',
      'database: false',
    ],
    [
      'readiness does not try whether anything can be written',
      'takesWrites',
      '(await mayPush(services, maxProofAgeMs))',
      'true',
    ],
  ]),
  ...faultsIn('src/http/problems.ts', onD1, [
    [
      'a full database is an error of the service',
      'asProblem',
      'unwritable.test(rootMessage(error))',
      'false',
    ],
  ]),
  ...faultsIn('src/reminders/unrecorded.ts', onFiles, [
    [
      'a record that only one person is refused is tried for ever',
      'recordKept',
      'services.now() < expiresAt || !(await canRecord(services))',
      'true',
    ],
  ]),
  ...faultsIn('src/reminders/pushed.ts', retries, [
    ['what is to be tried again is planned past', 'withResult', 'schedule: [], ', ''],
  ]),
];
