import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { reconcile } from '../../src/operations/reconcile.ts';
import { sweep } from '../../src/operations/sweep.ts';
import { createClock } from '../../src/platform/server/clock.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import { newWrites } from '../../src/reminders/writes.ts';
import { tzRelease } from '../../src/schedule/zones.ts';
import type { LogEntry, Push, ReplanChunk, Services } from '../../src/services.ts';
import { settingDefaults } from '../defaults.ts';
import { createAlarms, type SimulatedAlarms } from './alarms.ts';
import type { SimulatedDatabase } from './database.ts';
import type { CrashPoint, Faults } from './faults.ts';
import type { Scenario } from './scenario.ts';
import { createTimerAlarms } from './timer-alarms.ts';
import { auth } from './tokens.ts';
import { createUnrecorded } from './unrecorded.ts';
import { never, type Source, type World } from './world.ts';

/** The whole application as one process that can die and start again. */
export interface Server {
  services: Services;
  alarms: SimulatedAlarms;
  /** The platform's triggers: alarms, the queue, the sweep each minute, reconcile each hour. */
  sources: Source[];
  /** Finds out when the next sweep has something to do. Called between two events. */
  prepare(): Promise<void>;
  /** Over HTTP. @throws ConnectionLost when the server is down, or dies before it answers */
  request(path: string, init: RequestInit): Promise<{ status: number; body: unknown }>;
  crash(downMs: number): void;
  /** Starts again at once if it is down. */
  restart(): void;
  /** Crashes if a fault asks for it at this point. True: the caller must go no further. */
  crashAt(point: CrashPoint): boolean;
  /** Puts messages that the queue gave up back into it, as operators do after an outage. */
  replayDeadLetters(): void;
  log: LogEntry[];
  counts: { deadLetters: number; sweeps: number; crashes: number };
  /** When it died (true time). */
  deaths: readonly number[];
}

/** Replacements of the services for a user's deliveries. */
export type Deliveries = (user: string) => Partial<Services>;

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const queueDelayMs = 1_000;
const maxQueueRetries = 5;
const { limits, participantSigningKeys } = readConfig(settingDefaults);
const config = { auth, limits, participantSigningKeys };

export function createServer(
  world: World,
  faults: Faults,
  parts: { database: SimulatedDatabase; push: Push; deliveries?: Deliveries },
  options: Pick<Scenario, 'reconcile' | 'alarms'>,
): Server {
  const log: LogEntry[] = [];
  const deadLetters: ReplanChunk[] = [];
  const counts = { deadLetters: 0, sweeps: 0, crashes: 0 };
  const deaths: number[] = [];
  const unrecorded = createUnrecorded(world, options.alarms);
  let downUntil = Number.NEGATIVE_INFINITY;
  const hangUps = new Set<() => void>();
  const isDown = () => world.at() < downUntil;

  const clock = createClock(
    {
      wall: world.now,
      monotonic: world.at,
      askRelay: async () => (faults.active('relay')?.is === 'down' ? undefined : world.at()),
    },
    (entry) => log.push(entry),
  );
  const services: Services = {
    db: parts.database.db,
    push: parts.push,
    alarms: {
      arm: (user, at) => alarms.arm(user, at),
      deliver: (user) => alarms.deliver(user),
    },
    queue: {
      async send(chunk) {
        if (world.task()?.dead || crashAt('before-enqueue')) return never();
        messages.push({ chunk, at: world.at() + queueDelayMs, tries: 0, taken: false });
        if (crashAt('after-enqueue')) return never();
      },
    },
    defer: (work) => void background('replan', work),
    now: world.now,
    // On Cloudflare the platform's clock is the clock.
    ...(options.alarms === 'timer' && { clockAgrees: clock.agrees }),
    pushesPerDay: Infinity,
    writes: newWrites(),
    unrecorded,
    log: (entry) => log.push(entry),
  };
  const alarms =
    options.alarms === 'timer'
      ? createTimerAlarms(world, crashAt, () => services)
      : createAlarms(world, faults, crashAt, (user) => ({ ...services, ...parts.deliveries?.(user) }));
  let app = createApp(services, config);

  const noteFailure = (event: string) => (error: unknown) => {
    log.push({ event: `${event}.failed`, error: error instanceof Error ? error.message : String(error) });
  };
  const background = (name: string, work: () => Promise<unknown>) =>
    world.spawn(name, work).catch(noteFailure(name));

  function crash(downMs: number) {
    counts.crashes++;
    deaths.push(world.at());
    world.kill();
    Object.assign(services.writes, newWrites());
    unrecorded.crashed();
    outdated = true;
    downUntil = Math.max(downUntil, world.at() + downMs);
    app = createApp(services, config);
    for (const message of messages) message.taken = false;
    alarms.crashed();
    for (const hangUp of hangUps) hangUp();
    hangUps.clear();
  }

  function crashAt(point: CrashPoint) {
    const fault = world.task()?.server ? faults.takeCrash(point) : undefined;
    if (fault) crash(fault.downSeconds * 1000);
    return fault !== undefined;
  }

  const messages: { chunk: ReplanChunk; at: number; tries: number; taken: boolean }[] = [];

  function consume(message: (typeof messages)[number]) {
    message.taken = true;
    message.at = world.at() + queueDelayMs * 2 ** message.tries;
    const done = () => messages.splice(messages.indexOf(message), 1);
    void world
      .spawn('queue', () => replanChunk(services, message.chunk))
      .then(done, (error) => {
        noteFailure('queue')(error);
        message.taken = false;
        message.tries++;
        if (message.tries <= maxQueueRetries) return;
        counts.deadLetters++;
        deadLetters.push(...done().map(({ chunk }) => chunk));
      });
  }

  const queue: Source = {
    next: () => {
      const times = messages.filter(({ taken }) => !taken).map(({ at }) => at);
      return times.length > 0 ? Math.max(world.at(), Math.min(...times), downUntil) : null;
    },
    fire() {
      for (const message of messages) if (!message.taken && message.at <= world.at()) consume(message);
    },
  };

  let lastSweep = world.at();
  let nextSweep: number | null = null;
  /** `nextSweep` must be computed again. */
  let outdated = true;
  let skewSeen = 0;
  const sweeps: Source = {
    next: () => nextSweep,
    fire() {
      lastSweep = world.at();
      [nextSweep, outdated] = [null, true];
      const fault = faults.active('sweeps');
      if (isDown() || fault?.is === 'lost') return;
      for (let n = fault?.is === 'twice' ? 2 : 1; n > 0; n--) {
        counts.sweeps++;
        void background('sweep', async () => {
          await clock.check();
          await sweep(services);
        });
      }
    },
  };
  let nextHour = Math.ceil((world.at() + 1) / hourMs) * hourMs;
  const hours: Source = {
    next: () => (options.reconcile ? nextHour : null),
    fire() {
      nextHour = Math.ceil((world.at() + 1) / hourMs) * hourMs;
      void background('reconcile', () => reconcile(services));
    },
  };

  const delayed = (source: Source): Source => ({
    next: () => {
      const at = source.next();
      return at === null ? null : Math.max(at, downUntil);
    },
    fire: source.fire,
  });

  return {
    services,
    alarms,
    log,
    counts,
    deaths,
    replayDeadLetters() {
      for (const chunk of deadLetters.splice(0))
        messages.push({ chunk, at: world.at(), tries: 0, taken: false });
    },
    crash,
    crashAt,
    restart() {
      downUntil = Math.min(downUntil, world.at());
      outdated = true;
    },
    sources: [delayed(alarms), queue, sweeps, delayed(hours)],
    /** Skips idle sweeps, so that days cost no more than their events. */
    async prepare() {
      const skew = world.now() - world.at();
      if (!parts.database.written() && skew === skewSeen && !outdated) return;
      [skewSeen, outdated] = [skew, false];
      const [found] = await parts.database.query(
        `select (select min(next_at) from scheduled_notification where next_at is not null) as due,
          (select min(touched_at) from replan) as created,
          (select 0 from job_run where name = 'zones' and after < ?) as zones`,
        tzRelease,
      );
      // A sweep takes work that is more than a minute old, and an upgrade of the zone rules at once.
      const times = [found?.due, found?.created, found?.zones].flatMap((time) =>
        typeof time === 'number' ? [time] : [],
      );
      const first = Math.max(lastSweep, Math.min(...times) - skew + minuteMs) + 1;
      nextSweep = times.length > 0 ? Math.ceil(first / minuteMs) * minuteMs : null;
    },
    async request(path, init) {
      if (isDown()) throw new ConnectionLost();
      const answered = world.spawn(`${init.method} ${path}`, async () => {
        const response = await app.request(`https://fieldbell.localhost${path}`, init);
        const text = await response.text();
        const isJson = /\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
        return { status: response.status, body: text === '' ? null : isJson ? JSON.parse(text) : text };
      });
      let hangUp = () => {};
      const lost = new Promise<never>((_, reject) => {
        hangUp = () => reject(new ConnectionLost());
      });
      hangUps.add(hangUp);
      return world.block(Promise.race([answered, lost])).finally(() => hangUps.delete(hangUp));
    },
  };
}
