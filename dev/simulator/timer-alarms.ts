import { deliver as deliverTo } from '../../src/jobs/deliver.ts';
import { beginning, type Cursor, selectDueUsers } from '../../src/model/reminders/due.ts';
import { backoffMs } from '../../src/retry.ts';
import type { Services } from '../../src/services.ts';
import type { SimulatedAlarms } from './alarms.ts';
import { never, type World } from './world.ts';

const pageSize = 500;
const backoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/**
 * Stands in for the `AlarmScheduler` of Node and Deno: one timer for all users, which reads from the database what is due,
 * each position once. Nothing outlives a restart.
 */
export function createTimerAlarms(
  world: World,
  crash: (point: 'before-arming') => boolean,
  services: () => Services,
): SimulatedAlarms {
  const counts = { fired: 0, failed: 0 };
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<void>>();
  const failed = new Map<string, { attempts: number; at: number }>();
  let cursor: Cursor = beginning;
  let timerAt: number | null = world.now();
  let faults = 0;

  function wakeAt(at: number) {
    timerAt = timerAt === null ? at : Math.min(timerAt, at);
  }

  async function arm(_user: string, at: number) {
    if (world.task()?.dead || crash('before-arming')) return never<void>();
    if (at <= cursor.at) cursor = { at: at - 1, user: '' };
    wakeAt(at);
  }

  /** One run at a time for each user, and at most one that waits. */
  async function deliver(user: string) {
    if (world.task()?.dead) return never<void>();
    const run = waiting.get(user) ?? start(user);
    await world.block(run);
  }

  function start(user: string): Promise<void> {
    const earlier = running.get(user) ?? Promise.resolve();
    const run = world.spawn('delivery', async () => {
      await world.block(earlier);
      waiting.delete(user);
      const work = deliverTo(services(), user);
      running.set(
        user,
        work.catch(() => {}),
      );
      const next = await work.finally(() => running.delete(user));
      failed.delete(user);
      if (next !== null) await arm(user, next);
    });
    waiting.set(user, run);
    return run;
  }

  function attempt(user: string) {
    deliver(user).catch(() => {
      counts.failed++;
      const attempts = (failed.get(user)?.attempts ?? 0) + 1;
      const at = world.now() + backoffMs(attempts, backoff);
      failed.set(user, { attempts, at });
      wakeAt(at);
    });
  }

  async function handOver(): Promise<number | null> {
    for (const [user, { attempts, at }] of failed)
      if (at <= world.now()) {
        failed.set(user, { attempts, at: Number.POSITIVE_INFINITY });
        attempt(user);
      }
    for (;;) {
      const after = cursor;
      const { due, next } = await selectDueUsers({ db: services().db, now: world.now() }, after, pageSize);
      if (cursor === after) cursor = due.at(-1) ?? after;
      for (const { user } of due) attempt(user);
      if (due.length < pageSize) return next;
    }
  }

  async function wake() {
    counts.fired++;
    try {
      const next = await handOver();
      if (next !== null) wakeAt(next);
      for (const { at } of failed.values()) if (Number.isFinite(at)) wakeAt(at);
      faults = 0;
    } catch {
      faults++;
      wakeAt(world.now() + backoffMs(faults, backoff));
    }
  }

  return {
    arm,
    deliver,
    counts,
    replace(_user, at) {
      cursor = beginning;
      wakeAt(at);
    },
    next: () => (timerAt === null ? null : Math.max(world.at(), timerAt - (world.now() - world.at()))),
    fire() {
      timerAt = null;
      void world.spawn('timer', wake).catch(() => {});
    },
    crashed() {
      for (const map of [running, waiting, failed]) map.clear();
      cursor = beginning;
      faults = 0;
      timerAt = world.now();
    },
  };
}
