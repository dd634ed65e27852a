import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { reconcile, sweep } from '../src/operations/jobs.ts';
import { createClock } from '../src/platform/server/clock.ts';
import { direct } from '../src/reminders/deliver.ts';
import { planAll } from '../src/reminders/jobs.ts';
import { tzRelease } from '../src/schedule/zones.ts';
import type { LogEntry, PushService, Services } from '../src/services.ts';
import { settingDefaults } from '../tools/settings/defaults.ts';
import { createAlarms, type SimulatedAlarms } from './alarms.ts';
import type { SimulatedDatabase } from './database.ts';
import { createDeliveryObjects, type DeliveryModel } from './delivery-objects.ts';
import type { CrashPoint, Faults } from './faults.ts';
import { noteRecords } from './recorded.ts';
import type { Scenario } from './scenario.ts';
import { readFirstWork, readNextLook } from './tables.ts';
import { createTimerAlarms } from './timer-alarms.ts';
import { auth } from './tokens.ts';
import { never, type Source, type World } from './world.ts';

/** The whole application as one process that can die and start again. */
export interface Server {
  services: Services;
  alarms: SimulatedAlarms;
  /** The platform's triggers: alarms, the sweep each minute, reconcile each hour. */
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
  log: LogEntry[];
  counts: { sweeps: number; crashes: number };
  /** When it died (true time). */
  deaths: readonly number[];
}

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const { limits, participantSigningKeys } = readConfig(settingDefaults);
const config = { auth, limits, participantSigningKeys };

export function createServer(
  world: World,
  faults: Faults,
  parts: { database: SimulatedDatabase; push: PushService; delivery?: DeliveryModel | undefined },
  options: Pick<Scenario, 'reconcile' | 'alarms'>,
): Server {
  const log: LogEntry[] = [];
  const counts = { sweeps: 0, crashes: 0 };
  const deaths: number[] = [];
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
    defer: (work) => void background('after', work),
    now: world.now,
    // On Cloudflare the platform's clock is the clock.
    ...(options.alarms === 'timer' && { clockAgrees: clock.agrees }),
    pushesPerDay: Infinity,
    records: { refused: false },
    ...(options.alarms === 'objects' && {
      planElsewhere: async (users: string[]) => {
        if (world.task()?.dead) return never<void>();
        await world.block(world.spawn('plan', () => planAll(services, users)));
      },
    }),
    log: (entry) => log.push(entry),
  };
  const objects = createDeliveryObjects(parts.delivery ?? { objects: 1 }, { world, ...parts });
  const slices = noteRecords(world, direct(services));
  const alarms =
    options.alarms === 'timer'
      ? createTimerAlarms(world, crashAt, () => ({ ...services, slices }))
      : createAlarms(world, faults, crashAt, (user) => ({ ...services, slices, ...objects.of(user) }));
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
    services.records.refused = false;
    objects.crashed();
    outdated = true;
    downUntil = Math.max(downUntil, world.at() + downMs);
    app = createApp(services, config);
    alarms.crashed();
    for (const hangUp of hangUps) hangUp();
    hangUps.clear();
  }

  function crashAt(point: CrashPoint) {
    const fault = world.task()?.server ? faults.takeCrash(point) : undefined;
    if (fault) crash(fault.downSeconds * 1000);
    return fault !== undefined;
  }

  let lastSweep = world.at();
  let nextSweep: number | null = null;
  /** `nextSweep` must be computed again. */
  let outdated = true;
  let [writesSeen, skewSeen] = [0, 0];
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
    crash,
    crashAt,
    restart() {
      downUntil = Math.min(downUntil, world.at());
      outdated = true;
    },
    sources: [delayed(alarms), sweeps, delayed(hours)],
    /** Skips idle sweeps, so that days cost no more than their events. */
    async prepare() {
      const skew = world.now() - world.at();
      const { writes } = parts.database.counts;
      if (writes === writesSeen && skew === skewSeen && !outdated) return;
      [writesSeen, skewSeen, outdated] = [writes, skew, false];
      const look = await readNextLook(parts.database);
      alarms.look?.(look && look - skew);
      const work = await readFirstWork(parts.database, { release: tzRelease, graceMs: minuteMs });
      const first = Math.max(lastSweep, (work ?? 0) - skew) + 1;
      nextSweep = work === null ? null : Math.ceil(first / minuteMs) * minuteMs;
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
