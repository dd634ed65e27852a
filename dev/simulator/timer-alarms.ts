import { AlarmScheduler, type Timer } from '../../src/platform/server/alarm-scheduler.ts';
import { deliver as deliverTo } from '../../src/reminders/deliver.ts';
import type { Services } from '../../src/services.ts';
import type { SimulatedAlarms } from './alarms.ts';
import { never, type World } from './world.ts';

/** The scheduler of Node and Deno over simulated timers. Nothing of it outlives the process. */
export function createTimerAlarms(
  world: World,
  crash: (point: 'before-arming') => boolean,
  services: () => Services,
): SimulatedAlarms {
  const counts = { fired: 0, failed: 0 };
  let timers = new Set<{ at: number; work: () => Promise<void> }>();
  let scheduler = start();

  /** A process that died has timers of its own, which nobody looks at any more. */
  function start() {
    const own: typeof timers = new Set();
    timers = own;
    const after: Timer = (ms, work) => {
      const timer = { at: world.at() + ms, work };
      own.add(timer);
      return () => own.delete(timer);
    };
    const started = new AlarmScheduler(services, after, (its, user) =>
      own === timers ? deliver(its, user) : never(),
    );
    started.start();
    return started;
  }

  function deliver(its: Services, user: string) {
    return world.spawn('delivery', async () => {
      try {
        const next = await deliverTo(its, user);
        return next !== null && crash('before-arming') ? await never<null>() : next;
      } catch (error) {
        counts.failed++;
        throw error;
      }
    });
  }

  const earliest = () => [...timers].reduce((a, b) => (b.at < a.at ? b : a));

  return {
    counts,
    async arm(user, at) {
      if (world.task()?.dead || crash('before-arming')) return never<void>();
      await scheduler.arm(user, at);
    },
    async deliver(user) {
      if (world.task()?.dead) return never<void>();
      await world.block(scheduler.deliver(user));
    },
    replace: (user, at) => void scheduler.arm(user, at),
    next: () => (timers.size === 0 ? null : Math.max(world.at(), earliest().at)),
    fire() {
      const timer = earliest();
      timers.delete(timer);
      counts.fired++;
      void world.spawn('timer', timer.work).catch(() => {});
    },
    crashed() {
      scheduler = start();
    },
  };
}
