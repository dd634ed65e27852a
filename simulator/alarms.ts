import { UserDeliveries } from '../src/platform/cloudflare/user-deliveries.ts';
import type { SliceServices } from '../src/reminders/deliver.ts';
import { deliver as deliverTo } from '../src/reminders/jobs.ts';
import type { Alarms } from '../src/services.ts';
import type { Faults } from './faults.ts';
import { createHeap } from './heap.ts';
import { never, type Source, type World } from './world.ts';

export interface SimulatedAlarms extends Alarms, Source {
  /** Sets the alarm to an instant, whatever its previous time. */
  replace(user: string, at: number): void;
  /** Tells when the service has something to look at (true time); null: never. Only a timer of all users asks. */
  look?(at: number | null): void;
  /** The process died: its memory is gone, and the platform repeats interrupted runs. */
  crashed(): void;
  counts: { fired: number; failed: number };
}

/** The delay after which an interrupted handler is called again (Cloudflare, "Alarms"). */
const repeatMs = 2_000;

/** The object of a user. */
interface Entry {
  /** The platform's storage. */
  alarm: number | null;
  /** Runs of the handler under way. */
  running: number;
  /** In memory. */
  deliveries: UserDeliveries;
}

/** The users' objects of Cloudflare on a simulated platform: one durable alarm per user. */
export function createAlarms(
  world: World,
  faults: Faults,
  crash: (point: 'before-arming') => boolean,
  services: (user: string) => SliceServices,
): SimulatedAlarms {
  const entries = new Map<string, Entry>();
  const queue = createHeap<{ at: number; user: string }>((a, b) =>
    a.at === b.at ? a.user < b.user : a.at < b.at,
  );
  const counts = { fired: 0, failed: 0 };

  function entryOf(user: string): Entry {
    const entry = entries.get(user) ?? { alarm: null, running: 0, deliveries: start(user) };
    entries.set(user, entry);
    return entry;
  }

  const start = (user: string) =>
    new UserDeliveries({
      getAlarm: async () =>
        world.task()?.dead || crash('before-arming') ? never<null>() : entryOf(user).alarm,
      setAlarm: async (at) => set(user, at),
      deliver: async () =>
        world.task()?.dead ? never<null>() : world.spawn('delivery', () => deliverTo(services(user), user)),
      now: world.now,
      log(entry) {
        counts.failed++;
        services(user).log(entry);
      },
    });

  function set(user: string, at: number) {
    entryOf(user).alarm = at;
    queue.push({ at, user });
  }

  async function handle(user: string) {
    const entry = entryOf(user);
    const { deliveries } = entry;
    entry.running++;
    counts.fired++;
    await world.block(deliveries.alarm(user));
    if (entry.deliveries === deliveries) entry.running--;
  }

  /** Drops entries that are no longer the user's alarm. */
  function first() {
    for (let head = queue.peek(); head; head = queue.peek()) {
      if (entries.get(head.user)?.alarm === head.at) return head;
      queue.pop();
    }
    return undefined;
  }

  function ring(user: string, times: number) {
    entryOf(user).alarm = null;
    for (let n = 0; n < times; n++) void world.spawn('alarm', () => handle(user)).catch(() => {});
  }

  return {
    arm: (user, at) => entryOf(user).deliveries.arm(user, at),
    async deliver(user) {
      if (world.task()?.dead) return never<void>();
      await world.block(entryOf(user).deliveries.deliver(user));
    },
    replace: set,
    counts,
    next() {
      const head = first();
      return head ? Math.max(world.at(), head.at - (world.now() - world.at())) : null;
    },
    fire() {
      const head = first();
      queue.pop();
      if (!head) return;
      const fault = faults.active('alarms');
      if (fault?.is === 'stuck') return;
      if (fault?.is === 'lost') entryOf(head.user).alarm = null;
      else if (fault?.is === 'late' || fault?.is === 'held')
        void world.spawn(
          'late',
          async () => {
            await world.wait(fault.is === 'held' ? fault.until - world.at() : fault.ms);
            if (entryOf(head.user).alarm === head.at) ring(head.user, 1);
          },
          false,
        );
      else ring(head.user, fault?.is === 'twice' ? 2 : 1);
    },
    crashed() {
      for (const [user, entry] of entries) {
        entry.deliveries = start(user);
        const again = world.now() + repeatMs;
        if (entry.running > 0 && (entry.alarm === null || entry.alarm > again)) set(user, again);
        entry.running = 0;
      }
    },
  };
}
