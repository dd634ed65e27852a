import { faultsIn } from './mutant.ts';

const serial = ['test/reminders/deliveries-serial.test.ts'];
const alarms = ['test/simulator/regressions.slow.test.ts'];
const scheduler = ['test/platform/alarm-scheduler.slow.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const refusedBrowsers = ['test/phones/refused-browsers.test.ts'];
const onD1 = ['test/reminders/unrecorded.test.ts'];

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
  ...faultsIn(
    'src/platform/server/every-minute.ts',
    ['test/platform/every-minute.test.ts'],
    [
      [
        'a minute that has stopped for good counts as alive',
        'everyMinute',
        'monotonic() - endedAt < patienceMs',
        'endedAt < monotonic() + patienceMs',
      ],
    ],
  ),
  ...faultsIn('src/reminders/alarm-times.ts', alarms, [
    ['a later alarm replaces the earlier', 'rearmedAt', 'current <= wanted', 'current > wanted'],
  ]),
  ...faultsIn('src/platform/server/alarm-scheduler.ts', scheduler, [
    [
      'a reminder planned within the page that was read waits for the sweep',
      'AlarmScheduler.arm',
      'this.#readAgainFrom(at);',
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
  ...faultsIn('src/operations/routes/operations.ts', onD1, [
    [
      'readiness does not try whether anything can be written',
      'takesWrites',
      '(await mayPush(services, maxProofAgeMs))',
      'true',
    ],
  ]),
  ...faultsIn('src/web-push/answers.ts', refusedBrowsers, [
    ['403 to a browser ends it', 'outcomeOf', 'return push.isForOtherKey', 'return true'],
    [
      'a browser of another key is pushed to for ever',
      'outcomeOf',
      'return push.isForOtherKey',
      'return false',
    ],
    ['a push that Windows drops was sent', 'accepted', '/dropped/i.test(fate)', 'false'],
  ]),
  ...faultsIn('src/web-push/push.ts', refusedBrowsers, [
    [
      'a repeated registration takes a subscription for one of the new key',
      'createWebPush',
      '(isSame && known.madeFor) || key',
      'key',
    ],
  ]),
  ...faultsIn('src/operations/metrics.ts', refusedBrowsers, [
    [
      'a push service that takes pushes again is said to refuse',
      'addCounts',
      '...(takers.length > 0 ? [forget] : [])',
      '',
    ],
  ]),
  ...faultsIn('src/retry.ts', refusedBrowsers, [
    ['a minute of Windows phones is lost to throttling', 'passing', '402, 406, ', ''],
  ]),
  ...faultsIn('src/reminders/pushed.ts', retries, [
    ['planning passes over a reminder that waits for a retry', 'withResult', 'schedule: [], ', ''],
  ]),
];
