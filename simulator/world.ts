import { AsyncLocalStorage } from 'node:async_hooks';
import { createHeap } from './heap.ts';

/** Work under way: a request, a run of an alarm, a sweep, somebody's actions. */
export interface Task {
  name: string;
  /** The earlier tasks of this name. */
  nth: number;
  /** Part of the server, so a crash ends it. */
  server: boolean;
  dead: boolean;
  /** Nothing of it is under way any more. */
  over: boolean;
  /** The number of simulated things that it waits for. */
  waits: number;
  startedAt: number;
  /** `startedAt` by the server's clock. */
  startedNow: number;
  /** The tries to record turns, by true time. */
  records: { at: number; taken: boolean }[];
}

/** Simulated time. It jumps from event to event and never waits for real time. */
export interface World {
  /** True time, epoch ms. */
  at(): number;
  /** The server's clock: true time plus the clock's error. */
  now(): number;
  jump(ms: number): void;
  /** The task that the caller belongs to, if any. */
  task(): Task | undefined;
  /** Starts a task. Rejects with its error; never settles once the task is killed. */
  spawn<T>(name: string, work: () => Promise<T>, server?: boolean): Promise<T>;
  /** Waits for `ms` of simulated time. */
  wait(ms: number): Promise<void>;
  /** Waits for another task. */
  block<T>(promise: Promise<T>): Promise<T>;
  /** Ends all tasks of the server at once. */
  kill(): void;
  /** Runs everything until true time `until`. `prepare` is called before the sources are asked. */
  run(until: number, sources: Source[], prepare?: () => Promise<void>): Promise<void>;
}

/** A source of events at true times of its own: the script, alarms, the sweep each minute. */
export interface Source {
  next(): number | null;
  fire(): void;
}

/** Never settles: the process that would have settled it is dead. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** More turns of the event loop without progress mean that a task waits for something real. */
const maxTurns = 1_000_000;

export function createWorld(start: number): World {
  const storage = new AsyncLocalStorage<Task>();
  const timers = createHeap<{ at: number; order: number; fire: () => void }>((a, b) =>
    a.at === b.at ? a.order < b.order : a.at < b.at,
  );
  const live = new Set<Task>();
  const spawned = new Map<string, number>();
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
    task.over = true;
    if (live.delete(task) && task.waits === 0) running--;
  }

  async function settle() {
    for (let turns = 0; ; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (running === 0) return;
      if (turns > maxTurns) throw new Error(`stuck: ${[...live].map(({ name }) => name).join(', ')}`);
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
      const nth = spawned.get(name) ?? 0;
      spawned.set(name, nth + 1);
      const task: Task = {
        name,
        nth,
        server,
        dead: false,
        over: false,
        waits: 0,
        startedAt: at,
        startedNow: at + skew,
        records: [],
      };
      live.add(task);
      running++;
      return storage.run(task, async () => {
        try {
          return await work();
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
