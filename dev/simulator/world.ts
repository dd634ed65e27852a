import { AsyncLocalStorage } from 'node:async_hooks';
import { createHeap } from './heap.ts';

/** Work that is under way: a request, an alarm's run, a sweep, somebody's actions. */
export interface Task {
  name: string;
  /** Part of the server: a crash ends it. */
  server: boolean;
  dead: boolean;
  /** It ended with an exception. */
  failed: boolean;
  /** For how many simulated things it waits now. */
  waits: number;
  startedAt: number;
  /** The same by the server's clock. */
  startedNow: number;
}

/** Simulated time. It jumps from event to event and never waits for real time. */
export interface World {
  /** True time, epoch ms. */
  at(): number;
  /** What the server's clock shows: true time, and what the clock is wrong by. */
  now(): number;
  jump(ms: number): void;
  /** The task in which this is called, if any. */
  task(): Task | undefined;
  /** Begins a task. What it throws goes to the caller. Never settles once the task was killed. */
  spawn<T>(name: string, work: () => Promise<T>, server?: boolean): Promise<T>;
  /** Lets `ms` of simulated time pass for the task. */
  wait(ms: number): Promise<void>;
  /** Waits for something that another task brings about. */
  block<T>(promise: Promise<T>): Promise<T>;
  /** Ends all tasks of the server where they stand. */
  kill(): void;
  /** Runs everything until true time `until`; `sources` say what else is to happen, `prepare` comes before each look. */
  run(until: number, sources: Source[], prepare?: () => Promise<void>): Promise<void>;
}

/** Something that happens at a true time of its own: the script, alarms, each minute's sweep. */
export interface Source {
  next(): number | null;
  fire(): void;
}

/** A promise of something that will not come, because the process is no more. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** So many turns of the event loop without progress mean that a task waits for something real. */
const mostTurns = 1_000_000;

export function createWorld(start: number): World {
  const storage = new AsyncLocalStorage<Task>();
  const timers = createHeap<{ at: number; order: number; fire: () => void }>((a, b) =>
    a.at === b.at ? a.order < b.order : a.at < b.at,
  );
  const live = new Set<Task>();
  let at = start;
  let skew = 0;
  let order = 0;
  /** Live tasks that wait for nothing simulated, so that time must stand still. */
  let running = 0;

  function addWaits(task: Task | undefined, change: 1 | -1) {
    if (!task || task.dead || !live.has(task)) return;
    if (task.waits === 0) running--;
    task.waits += change;
    if (task.waits === 0) running++;
  }

  function end(task: Task) {
    if (live.delete(task) && task.waits === 0) running--;
  }

  async function settle() {
    for (let turns = 0; ; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (running === 0) return;
      if (turns > mostTurns) throw new Error(`stuck: ${[...live].map(({ name }) => name).join(', ')}`);
    }
  }

  const world: World = {
    at: () => at,
    now: () => at + skew,
    jump: (ms) => {
      skew += ms;
    },
    task: () => storage.getStore(),
    async spawn(name, work, server = true) {
      const task: Task = {
        name,
        server,
        dead: false,
        failed: false,
        waits: 0,
        startedAt: at,
        startedNow: at + skew,
      };
      live.add(task);
      running++;
      return storage.run(task, async () => {
        try {
          return await work();
        } catch (error) {
          task.failed = true;
          throw error;
        } finally {
          end(task);
        }
      });
    },
    wait(ms) {
      const task = storage.getStore();
      if (task?.dead) return never();
      addWaits(task, 1);
      return new Promise((resolve) => {
        const fire = () => {
          if (task?.dead) return;
          addWaits(task, -1);
          resolve();
        };
        timers.push({ at: at + Math.ceil(Math.max(0, ms)), order: order++, fire });
      });
    },
    async block(promise) {
      const task = storage.getStore();
      addWaits(task, 1);
      try {
        return await promise;
      } finally {
        addWaits(task, -1);
      }
    },
    kill() {
      for (const task of [...live].filter((one) => one.server)) {
        end(task);
        task.dead = true;
      }
    },
    async run(until, sources, prepare) {
      await settle();
      for (;;) {
        await prepare?.();
        const times = [timers.peek()?.at ?? null, ...sources.map((source) => source.next())];
        const next = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
        if (next > until) break;
        at = Math.max(at, next);
        if ((timers.peek()?.at ?? Number.POSITIVE_INFINITY) <= at) {
          while ((timers.peek()?.at ?? Number.POSITIVE_INFINITY) <= at) timers.pop()?.fire();
        } else sources.find((source) => (source.next() ?? Number.POSITIVE_INFINITY) <= at)?.fire();
        await settle();
      }
      at = Math.max(at, until);
    },
  };
  return world;
}
