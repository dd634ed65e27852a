import { waitUntil } from 'cloudflare:workers';
import { attempt } from '../../attempt.ts';
import { readConfig } from '../../config.ts';
import { createMeter, type Meter } from '../../operations/metering.ts';
import { planAll } from '../../reminders/jobs.ts';
import type { Allowance, Services } from '../../services.ts';
import { faultOfUrl } from '../../webhooks/addresses.ts';
import { deliverWebhooks } from '../../webhooks/delivery.ts';
import { createPush } from '../push-services.ts';
import type { Bindings } from './bindings.ts';
import { openD1 } from './d1.ts';
import { createDeliveryObjects } from './delivery-objects.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import { createWebhookCalls } from './webhook-calls.ts';

/** Shared by all code in an isolate, including its objects: they have the same settings and one meter. */
let shared: ReturnType<typeof createServices> | undefined;

export interface CloudflareServices extends Services {
  meter: Meter;
  deliveryObject: ReturnType<typeof createDeliveryObjects>;
  /** Runs a delivery when a slot of the isolate is free. */
  withDeliverySlot: ReturnType<typeof createDeliverySlots>;
}

/** @throws ConfigError */
export function servicesOf(env: Bindings): CloudflareServices {
  shared ??= createServices(env);
  return shared;
}

/** @throws ConfigError */
export function createServices(env: Bindings): CloudflareServices {
  const alarmOf = (user: string) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user));
  const config = readConfig(env);
  const db = openD1(env.DB);
  const now = () => Date.now();
  const meter = createMeter({ db, now }, { requests: config.metricsToken !== undefined });
  const local = 'secret' in config.auth.keys;
  const deliveryObject = createDeliveryObjects(env, config.delivery);
  const services: Services = {
    db,
    push: createPush(config),
    alarms: {
      arm: (user, at) => alarmOf(user).arm(user, at),
      deliver: (user) => alarmOf(user).deliver(user),
    },
    async planElsewhere(users) {
      const object = deliveryObject(users[0] ?? '');
      await (object ? object().plan(users) : planAll(services, users));
    },
    webhooks: {
      faultOf: async (url) => faultOfUrl(url, local),
      call: createWebhookCalls(local),
      // Four statements each, of the thousand that an invocation may run.
      maxCalls: 150,
      // Of the six connections of an invocation; the sweep asks the relay beside them.
      maxConcurrent: 4,
      wake: (changed) =>
        services.defer(() => attempt(services, 'webhooks.failed', () => deliverWebhooks(services, changed))),
      goOn: async (webhook) => {
        await env.WEBHOOK.get(env.WEBHOOK.idFromName(webhook)).goOn(webhook);
      },
    },
    pushesPerDay: config.limits.pushesPerDay,
    defer: (work) => waitUntil(work()),
    rateLimits: {
      user: (key) => allowance(config.rateLimits.user, env.USER_RATE, key),
      address: (key) => allowance(config.rateLimits.address, env.ADDRESS_RATE, key),
      code: (key) => allowance(config.rateLimits.code, env.CODE_RATE, key),
      ...(config.rateLimits.user > 0 && {
        charge: (key, tokens) => waitUntil(chargeAll(env.USER_RATE, key, tokens)),
      }),
      enrol: (key) => allowance(config.rateLimits.enrol, env.ENROL_RATE, key, 60),
    },
    page: async (folder) => {
      const page = await env.ASSETS.fetch(`https://assets.local/${folder}/`);
      return page.ok ? page.text() : null;
    },
    now,
    records: { refused: false },
    log: (entry) => {
      console.log(JSON.stringify(entry));
      meter.observe(entry);
    },
  };
  return { ...services, meter, deliveryObject, withDeliverySlot: createDeliverySlots(now) };
}

/** Most tokens that one charge takes: each is a call of the binding. */
const maxCharge = 100;

async function chargeAll(binding: RateLimit, key: string, tokens: number): Promise<void> {
  const calls = Array.from({ length: Math.min(tokens, maxCharge) }, () => binding.limit({ key }));
  await Promise.allSettled(calls);
}

/** `periodSeconds` is that of the binding, whose interface does not expose it. */
async function allowance(
  limit: number,
  binding: RateLimit,
  key: string,
  periodSeconds = 10,
): Promise<Allowance> {
  if (limit === 0) return { allowed: true };
  try {
    const { success } = await binding.limit({ key });
    return success ? { allowed: true } : { allowed: false, retryAfterSeconds: periodSeconds };
  } catch {
    // Without its counter the service answers everyone rather than no one.
    return { allowed: true };
  }
}
