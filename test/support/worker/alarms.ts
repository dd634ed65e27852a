import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { days } from './clock.ts';

/** Any moment of a test and so much more is ahead of the machine's clock. */
const aheadMs = 100 * 365 * days;

let holding: Promise<void> | undefined;

/**
 * The platform rings alarms by the machine's clock, for which what a test sets may be long past. So alarms are kept a
 * century later, and none goes off by itself: tests ring them.
 */
export function holdAlarms(): Promise<void> {
  const any = env.USER_ALARM.get(env.USER_ALARM.idFromName('any'));
  holding ??= runInDurableObject(any, (_, state) => {
    const storage = Object.getPrototypeOf(state.storage) as DurableObjectStorage;
    const { getAlarm, setAlarm } = storage;
    storage.setAlarm = function (at, options) {
      return setAlarm.call(this, Number(at) + aheadMs, options);
    };
    storage.getAlarm = async function (options) {
      const at = await getAlarm.call(this, options);
      return at === null ? null : at - aheadMs;
    };
  });
  return holding;
}
