import { faultsIn } from './mutant.ts';

const onD1 = ['test/reminders/refused-writes.test.ts'];
const loop = ['test/platform/delivery-loop.node.slow.test.ts'];

const serial = ['test/reminders/deliveries-serial.test.ts'];
const alarms = ['test/simulator/regressions.node.slow.test.ts'];
const retries = ['test/reminders/deliveries-retries.test.ts'];
const refusedBrowsers = ['test/phones/refused-browsers.test.ts'];

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
    ['test/platform/every-minute.node.test.ts'],
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
  ...faultsIn('src/push/web-push/outcomes.ts', refusedBrowsers, [
    ['403 to a browser ends it', 'outcomeOf', 'return push.isForOtherKey', 'return true'],
    [
      'a browser of another key is pushed to for ever',
      'outcomeOf',
      'return push.isForOtherKey',
      'return false',
    ],
    ['a push that Windows drops was sent', 'accepted', '/dropped/i.test(fate)', 'false'],
  ]),
  ...faultsIn('src/push/web-push/push.ts', refusedBrowsers, [
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
  ...faultsIn('src/platform/server/delivery-loop.ts', loop, [
    [
      'a clock that was set delivers',
      'DeliveryLoop.#begin',
      'clockAgrees?.() === false',
      'clockAgrees === null',
    ],
    ['a timer whose time is over puts others off', 'DeliveryLoop.#wakeAt', ' && now < this.#timerAt', ''],
    [
      'users who are due while others are claimed wait for a minute',
      'DeliveryLoop.#look',
      'if (next) this.#wakeAt(Math.max(next.at, now() + waitMs));',
      'void next;',
    ],
  ]),
  ...faultsIn('src/operations/routes/operations.ts', onD1, [
    ['readiness does not tell that records are refused', 'takesWrites', ' && !records.refused', ''],
  ]),
  ...faultsIn('src/reminders/pushed.ts', retries, [
    [
      'planning passes over a reminder that waits for a retry',
      'withResult',
      'next: { ...after, nextAttemptAt: again }',
      'next: plan.next',
    ],
  ]),
];
