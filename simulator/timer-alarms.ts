import { attempt } from '../src/attempt.ts';
import { DeliveryLoop, type Timer } from '../src/platform/server/delivery-loop.ts';
import { releaseLeases } from '../src/reminders/claim.ts';
import type { SliceServices } from '../src/reminders/deliver.ts';
import type { SimulatedAlarms } from './alarms.ts';
import { never, type World } from './world.ts';

/** The loop of Node and Deno over simulated timers, each turn a task of its own. Nothing of it outlives the process. */
export function createTimerAlarms(
  world: World,
  crash: (point: 'before-arming') => boolean,
  services: () => SliceServices,
): SimulatedAlarms {
  const counts = { fired: 0, failed: 0 };
  let timers = new Set<{ at: number; work: () => Promise<void> }>();
  /** When the database has something to look at (true time): earlier timers find nothing. */
  let firstLook: number | null = null;
  let loop = create();
  /** When the process starts (true time); null: it has. */
  let startsAt: number | null = world.at();

  /** A process that died has timers of its own, which nobody looks at any more. */
  function create() {
    const own: typeof timers = new Set();
    timers = own;
    const after: Timer = (ms, work) => {
      const task = world.task();
      if (task && !task.dead && crash('before-arming')) return () => {};
      const timer = { at: world.at() + ms, work };
      own.add(timer);
      return () => own.delete(timer);
    };
    return new DeliveryLoop(services, after);
  }

  /** As the service does: the turns of the process before have ended. */
  async function start(starting: DeliveryLoop) {
    const { db, now } = services();
    await attempt(services(), 'start.failed', async () => void (await releaseLeases(db, now())));
    starting.start();
  }

  const earliest = () => [...timers].reduce((a, b) => (b.at < a.at ? b : a));

  return {
    counts,
    async arm(user, at) {
      if (world.task()?.dead) return never<void>();
      await loop.arm(user, at);
      // It may have died meanwhile.
      if (world.task()?.dead) return never<void>();
    },
    async deliver() {
      if (world.task()?.dead) return never<void>();
      await loop.deliver();
    },
    replace: (user, at) => void loop.arm(user, at),
    look: (at) => {
      firstLook = at;
    },
    next: () =>
      startsAt !== null || timers.size === 0 || firstLook === null
        ? startsAt
        : Math.max(world.at(), firstLook, earliest().at),
    fire() {
      if (startsAt !== null) {
        startsAt = null;
        void world.spawn('start', () => start(loop)).catch(() => {});
        return;
      }
      const timer = earliest();
      timers.delete(timer);
      counts.fired++;
      void world.spawn('delivery', timer.work).catch(() => {});
    },
    crashed() {
      loop = create();
      startsAt = world.at();
    },
  };
}
