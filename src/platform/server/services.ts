import { setImmediate, setTimeout } from 'node:timers';
import { attempt, attemptWithin } from '../../attempt.ts';
import { shareThread } from '../../breathe.ts';
import type { Config } from '../../config.ts';
import { stepMs, tick } from '../../operations/jobs.ts';
import { createMeter } from '../../operations/metering.ts';
import { releaseLeases } from '../../reminders/claim.ts';
import type { LogEntry, Services } from '../../services.ts';
import { deliverWebhooks } from '../../webhooks/delivery.ts';
import { clockOf } from '../push-services.ts';
import { askTime, createClock } from './clock.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { everyMinute } from './every-minute.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { pushByThread } from './push-thread.ts';
import { createResolveName } from './resolve-name.ts';
import { readPage } from './static-files.ts';
import { tokenBuckets } from './token-buckets.ts';
import { createWebhookCalls } from './webhook-calls.ts';
import { createFaultOf } from './webhook-faults.ts';
import { createWebhookSlots } from './webhook-slots.ts';

/** With the ten seconds of open requests, less than the 30 that a supervisor gives. A call to others ends in ten. */
const stopMs = 15_000;

/** The services of the only process over its database, and its timed work. */
export interface ServerServices {
  services: Services;
  /** Starts the timer, resumes work that a crash left behind, and sweeps each minute from now on. */
  start(): void;
  /** Begins no more work; resolves when work under way is recorded, or after `withinMs`: the next start resumes it. */
  stop(withinMs?: number): Promise<void>;
}

export function createServices(
  { db, canWrite }: Pick<OpenDatabase, 'db' | 'canWrite'>,
  config: Pick<Config, 'auth' | 'rateLimits' | 'limits'> & Partial<Config>,
  log: (entry: LogEntry) => void,
): ServerServices {
  const background = createBackground();
  const alarms = new DeliveryLoop(() => services);
  const now = () => Date.now();
  const meter = createMeter({ db, now }, { requests: config.metricsToken !== undefined });
  const clock = createClock(
    { wall: now, monotonic: () => performance.now(), askRelay: () => askTime(clockOf(config)) },
    log,
  );
  const local = 'secret' in config.auth.keys;
  const resolve = createResolveName();
  const users = tokenBuckets(config.rateLimits.user);
  /** Changed things whose webhooks are called in the next turn of the event loop. */
  const changed = new Set<string>();
  const callWebhooks = (thing: string) =>
    attempt(services, 'webhooks.failed', () => deliverWebhooks(services, thing));
  const services: Services = {
    db,
    webhooks: {
      faultOf: createFaultOf(local, resolve),
      call: createWebhookCalls({ local, resolve }),
      withSlot: createWebhookSlots(),
      maxCalls: 10_000,
      maxConcurrent: 100,
      stops: background.stops,
      wake(thing) {
        changed.add(thing);
        if (changed.size > 1) return;
        background.defer(async () => {
          // One run for all writes of the moment.
          await nextTurn();
          const things = [...changed];
          changed.clear();
          await Promise.all(things.map(callWebhooks));
        });
      },
      goOn: async (webhook) => background.defer(() => callWebhooks(webhook)),
    },
    push: pushByThread(config),
    alarms,
    defer: background.defer,
    pushesPerDay: config.limits.pushesPerDay,
    rateLimits: {
      user: users,
      ...(config.rateLimits.user > 0 && { charge: users.charge }),
      address: tokenBuckets(config.rateLimits.address),
      code: tokenBuckets(config.rateLimits.code),
      enrol: tokenBuckets(config.rateLimits.enrol, undefined, 600_000),
    },
    page: readPage,
    now,
    clockAgrees: clock.agrees,
    minuteIsAlive: () => minutes.isAlive(),
    canWrite,
    records: { refused: false },
    log(entry) {
      log(entry);
      meter.observe(entry);
    },
  };
  shareThread(runSlices());
  let stopped = false;
  const minutes = everyMinute(now, async () => {
    await attemptWithin(services, { event: 'metrics.failed', withinMs: stepMs }, () => meter.flush());
    await clock.check();
    await tick(services);
  });
  return {
    services,
    start() {
      minutes.start(async () => {
        await clock.check();
        if (stopped) return;
        await attempt(services, 'start.failed', async () => void (await releaseLeases(db, now())));
        alarms.start();
        await tick(services, 0);
      });
    },
    async stop(withinMs = stopMs) {
      stopped = true;
      await attemptWithin(services, { event: 'stop.failed', withinMs }, async () => {
        await Promise.all([minutes.stop(), background.stop(), alarms.stop()]);
        await meter.flush(true);
      });
    },
  };
}

/** Deno runs immediates before it polls its sockets: after so many milliseconds of them a slice waits for a timer. */
const immediatesMs = 20;

/** Runs slices by the machine's timers, also under a simulated clock: a slice that never came would hold up all work after it. */
function runSlices() {
  let polledAt = performance.now();
  return (slice: () => void): void => {
    if (performance.now() - polledAt < immediatesMs) setImmediate(slice);
    else
      setTimeout(() => {
        polledAt = performance.now();
        slice();
      });
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that goes on after the answer to a request, in this process. */
function createBackground() {
  const running = new Set<Promise<void>>();
  let stopped = false;
  return {
    stops: () => stopped,
    defer(work: () => Promise<void>) {
      const run = work().finally(() => running.delete(run));
      running.add(run);
    },
    async stop() {
      stopped = true;
      // Work under way may defer more.
      while (running.size > 0) await Promise.all(running);
    },
  };
}
