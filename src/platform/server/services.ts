import { attempt } from '../../attempt.ts';
import { faultOfUrl } from '../../changes/webhook-addresses.ts';
import { deliverWebhooks } from '../../changes/webhook-delivery.ts';
import type { Config } from '../../config.ts';
import { groupCommit } from '../../db/group-commit.ts';
import { createMeter } from '../../operations/metering.ts';
import { tick } from '../../operations/tick.ts';
import { replanChunk } from '../../reminders/replan.ts';
import { keepInMemory } from '../../reminders/unrecorded.ts';
import { newWrites } from '../../reminders/writes.ts';
import type { LogEntry, ReplanChunk, Services } from '../../services.ts';
import { AlarmScheduler } from './alarm-scheduler.ts';
import { askSns, createClock } from './clock.ts';
import { everyMinute } from './every-minute.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { pushByThread } from './push-thread.ts';
import { readConsolePage } from './static-files.ts';
import { tokenBuckets } from './token-buckets.ts';
import { createWebhookCalls } from './webhook-calls.ts';

/** The services of the only process over its database, and its timed work. */
export interface ServerServices {
  services: Services;
  /** Starts the timer, resumes work that a crash left behind, and sweeps each minute from now on. */
  start(): void;
  /** Begins no more work; resolves when work under way is recorded. */
  stop(): Promise<void>;
}

export function createServices(
  { db, canWrite }: Pick<OpenDatabase, 'db' | 'canWrite'>,
  config: Pick<Config, 'auth' | 'relay' | 'rateLimits' | 'limits' | 'metricsToken'>,
  log: (entry: LogEntry) => void,
): ServerServices {
  const background = createBackground(() => services);
  const deliveries = groupCommit(db, { joinReads: false });
  const alarms = new AlarmScheduler(() => ({ ...services, db: deliveries }));
  const now = () => Date.now();
  const meter = createMeter({ db, now }, { requests: config.metricsToken !== undefined });
  const clock = createClock(
    { wall: now, monotonic: () => performance.now(), askRelay: () => askSns(config.relay) },
    log,
  );
  const local = 'secret' in config.auth.keys;
  let waiting = false;
  const services: Services = {
    db,
    webhooks: {
      faultOf: (url) => faultOfUrl(url, local),
      call: createWebhookCalls(local),
      callsOfLook: 10_000,
      wake() {
        if (waiting) return;
        waiting = true;
        background.defer(() =>
          attempt(services, 'webhooks.failed', async () => {
            // One look for all writes of the moment.
            await nextTurn();
            waiting = false;
            await deliverWebhooks(services);
          }),
        );
      },
    },
    push: pushByThread(config.relay),
    alarms,
    queue: { send: background.send },
    defer: background.defer,
    pushesPerDay: config.limits.pushesPerDay,
    rateLimits: {
      user: tokenBuckets(config.rateLimits.user),
      address: tokenBuckets(config.rateLimits.address),
      code: tokenBuckets(config.rateLimits.code),
    },
    consolePage: readConsolePage,
    now,
    clockAgrees: clock.agrees,
    canWrite,
    writes: newWrites(),
    unrecorded: keepInMemory(),
    log(entry) {
      log(entry);
      meter.observe(entry);
    },
  };
  let stopped = false;
  const minutes = everyMinute(now, async () => {
    await attempt(services, 'metrics.failed', () => meter.flush());
    await clock.check();
    await tick(services);
  });
  return {
    services,
    start() {
      minutes.start(async () => {
        await clock.check();
        if (stopped) return;
        alarms.start();
        await tick(services, 0);
      });
    },
    async stop() {
      stopped = true;
      await Promise.all([minutes.stop(), background.stop(), alarms.stop()]);
      await meter.flush(true);
    },
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that goes on after the answer to a request, in this process; chunks are planned as they come. */
function createBackground(services: () => Services) {
  const running = new Set<Promise<void>>();
  let stopped = false;
  return {
    defer(work: () => Promise<void>) {
      const run = work().finally(() => running.delete(run));
      running.add(run);
    },
    async send(chunk: ReplanChunk) {
      if (stopped) throw new Error('the service stops; the outbox row is resumed at the next start');
      await replanChunk(services(), chunk);
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
