import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { reconcile, sweep } from '../../src/operations/jobs.ts';
import { createPush } from '../../src/platform/push-services.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { deliverSlice } from '../../src/reminders/deliver.ts';
import { deliver } from '../../src/reminders/jobs.ts';
import type { Outcome, PushMessage, PushService, Services, WebhookAnswer } from '../../src/services.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery.ts';
import { nextDue as nextReminder, usersDue } from '../database/due.ts';
import { signToken } from '../tokens/sign.ts';

/** The service over a database file, in a time that passes as fast as its work is done. */
export interface Past {
  now(): number;
  /** Does something later, in order of time. */
  at(time: number, act: () => Promise<unknown>): void;
  /** Lets time pass: reminders are delivered when they are due, and acts done. */
  passUntil(end: number): Promise<void>;
  /** One person's calls, each with a token of the moment. */
  as(person: { subject: string; email: string }): Call;
  /** The calls of somebody with a token of the service's own, or with none. */
  withToken(token?: string): Call;
  close(): void;
}

/** @throws an Error with the answer's text unless its status is 2xx or one of `also` */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export type Call = (method: string, path: string, body?: unknown, also?: readonly number[]) => Promise<any>;

export interface World {
  /** A phone's token has an endpoint at the push service. */
  registered(token: string, endpoint: string): void;
  /** Takes a push that the service sends. */
  push(message: PushMessage, now: number): Outcome;
  /** Answers a call of a webhook. */
  hook(now: number): WebhookAnswer;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A signature needs a sign-in that is no older. */
const tokenMs = 300_000;

/**
 * Opens the file, which gets its tables unless it has them. Phones are registered at the local SNS, so that they are known
 * to it afterwards; pushes go to `world`.
 */
export async function openPast(
  file: string,
  { auth, relay, webPush, ...config }: Config,
  { start, world }: { start: number; world: World },
): Promise<Past> {
  const { db, client, close } = await openSqlite(file);
  await migrate(client, undefined, file);
  // A start that is broken off makes the file anew.
  await client.execute('pragma synchronous = off');
  let clock = start;
  const now = () => clock;
  const acts: { at: number; act: () => Promise<unknown> }[] = [];
  const deferred: Promise<void>[] = [];
  const sns = createPush({ relay, webPush });
  const push: PushService = {
    ...sns,
    async register(device) {
      const registration = await sns.register(device);
      if (registration.state === 'registered') world.registered(device.token, registration.endpoint);
      return registration;
    },
    send: async (message) => world.push(message, clock),
  };
  const services: Services = {
    db,
    push,
    alarms: { arm: async () => {}, deliver: (user) => deliver(services, user).then(() => {}) },
    defer: (work) => void deferred.push(work()),
    webhooks: {
      faultOf: async () => null,
      call: async () => world.hook(clock),
      goOn: async () => {},
      maxCalls: 100,
      maxConcurrent: 100,
    },
    pushesPerDay: config.limits.pushesPerDay,
    now,
    records: { refused: false },
    log(entry) {
      if (entry.level === 'error') throw new Error(JSON.stringify(entry));
    },
  };
  const app = createApp(services, { auth, ...config });
  const settle = async () => {
    for (let work = deferred.shift(); work; work = deferred.shift()) await work;
  };

  const callWith =
    (tokenOf: () => Promise<string | undefined>): Call =>
    async (method, path, body, also = []) => {
      const token = await tokenOf();
      const response = await app.request(`https://demo.fieldbell.localhost${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      await settle();
      if (!response.ok && !also.includes(response.status))
        throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    };

  async function nextDue(): Promise<number> {
    const [row] = await client.query(
      'select min(next_attempt_at) as at from webhook where next_attempt_at is not null',
    );
    return Math.min(await nextReminder(client), Number(row?.at ?? Number.POSITIVE_INFINITY));
  }

  async function deliverDue() {
    const limit = 1_000;
    const users = await usersDue(client, clock, limit);
    if (users.length > 0) await deliverSlice(services, { users, limit });
    await deliverWebhooks(services);
  }

  return {
    now,
    close,
    at(time, act) {
      const place = acts.findIndex(({ at }) => at > time);
      acts.splice(place < 0 ? acts.length : place, 0, { at: time, act });
    },
    async passUntil(end) {
      let nextDay = Math.ceil(clock / (24 * hourMs)) * 24 * hourMs;
      await sweep(services);
      for (;;) {
        const due = await nextDue();
        const next = Math.min(due, acts[0]?.at ?? Number.POSITIVE_INFINITY, nextDay);
        if (next >= end) break;
        clock = Math.max(clock, next);
        if (nextDay <= clock) {
          nextDay += 24 * hourMs;
          await reconcile(services);
        }
        while (acts[0] && acts[0].at <= clock) await acts.shift()?.act();
        await settle();
        if ((await nextDue()) <= clock) await deliverDue();
        if ((await nextDue()) > clock) continue;
        // Only the sweep settles these: a nudge of somebody who has left since the push.
        clock += 2 * minuteMs;
        await sweep(services);
        if ((await nextDue()) <= due) throw new Error(`${new Date(due).toISOString()}: due for ever`);
      }
      clock = end;
    },
    as(person) {
      let [token, until] = ['', 0];
      return callWith(async () => {
        if (clock >= until) {
          until = clock + tokenMs;
          token = await signToken(auth, { ...person, expiresIn: tokenMs / 1000, authTime: 0, now: clock });
        }
        return token;
      });
    },
    withToken: (token) => callWith(async () => token),
  };
}
