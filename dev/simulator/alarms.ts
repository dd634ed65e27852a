import { alarmBackoff, rearmedAt } from '../../src/jobs/alarm-times.ts';
import { deliver as deliverTo } from '../../src/jobs/deliver.ts';
import { backoffMs } from '../../src/retry.ts';
import type { Alarms, Services } from '../../src/services.ts';
import type { Faults } from './faults.ts';
import { createHeap } from './heap.ts';
import { never, type Source, type World } from './world.ts';

export interface SimulatedAlarms extends Alarms, Source {
  /** Sets the alarm to an instant, whatever it was. */
  replace(user: string, at: number): void;
  /** The process died: its memory is gone, and the platform repeats interrupted runs. */
  crashed(): void;
  counts: { fired: number; failed: number };
}

/** The delay after which an interrupted handler is called again (Cloudflare, "Alarms"). */
const repeatMs = 2_000;

interface Entry {
  alarm: number | null;
  /** Runs of the handler under way. */
  running: number;
  faults: number;
  /** One user's deliveries run one after the other. */
  last: Promise<unknown>;
}

/** Stands in for the users' objects on Cloudflare: one durable alarm per user, one delivery at a time. */
export function createAlarms(
  world: World,
  faults: Faults,
  crash: (point: 'before-arming') => boolean,
  services: (user: string) => Services,
): SimulatedAlarms {
  const entries = new Map<string, Entry>();
  const queue = createHeap<{ at: number; user: string }>((a, b) =>
    a.at === b.at ? a.user < b.user : a.at < b.at,
  );
  const counts = { fired: 0, failed: 0 };
  const entryOf = (user: string) => {
    const entry = entries.get(user) ?? { alarm: null, running: 0, faults: 0, last: Promise.resolve() };
    entries.set(user, entry);
    return entry;
  };

  function set(user: string, at: number) {
    entryOf(user).alarm = at;
    queue.push({ at, user });
  }

  async function arm(user: string, at: number) {
    if (world.task()?.dead || crash('before-arming')) return never<void>();
    const wanted = rearmedAt(user, at, entryOf(user).alarm, world.now());
    if (wanted !== null) set(user, wanted);
  }

  async function deliver(user: string) {
    if (world.task()?.dead) return never<void>();
    const entry = entryOf(user);
    const run = entry.last.then(() =>
      world.spawn('delivery', async () => {
        const next = await deliverTo(services(user), user);
        if (next !== null) await arm(user, next);
      }),
    );
    entry.last = run.catch(() => {});
    await world.block(run);
  }

  /** As `UserAlarm.alarm`. */
  async function handle(user: string) {
    const entry = entryOf(user);
    entry.running++;
    counts.fired++;
    try {
      await deliver(user);
      entry.faults = 0;
    } catch {
      counts.failed++;
      entry.faults++;
      set(user, world.now() + backoffMs(entry.faults, alarmBackoff));
    }
    entry.running--;
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
    arm,
    deliver,
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
      else if (fault?.is === 'late')
        void world.spawn(
          'late',
          async () => {
            await world.wait(fault.ms);
            if (entryOf(head.user).alarm === head.at) ring(head.user, 1);
          },
          false,
        );
      else ring(head.user, fault?.is === 'twice' ? 2 : 1);
    },
    crashed() {
      for (const [user, entry] of entries) {
        entry.last = Promise.resolve();
        entry.faults = 0;
        const again = world.now() + repeatMs;
        if (entry.running > 0 && (entry.alarm === null || entry.alarm > again)) set(user, again);
        entry.running = 0;
      }
    },
  };
}
