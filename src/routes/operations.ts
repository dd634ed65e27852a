import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { notFound, Problem } from '../errors.ts';
import type { Env } from '../http/context.ts';
import { prometheusText } from '../http/prometheus.ts';
import { readCounters, readOperations } from '../model/metrics.ts';
import { tzRelease } from '../schedule/zones.ts';
import * as docs from './docs/operations.ts';

/** A sweep is due each minute, and steps in when an alarm is late by a minute. */
const latestSweepMs = 5 * 60_000;
const latestDeliveryMs = 10 * 60_000;

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

/** For whoever runs the service: is it alive, does it keep up, what does it do. */
export const createOperations = (metricsToken: string | undefined) =>
  new Hono<Env>()
    .get('/health', docs.health, (c) => c.json({ status: 'ok', zones: tzRelease }))
    .get('/health/ready', docs.ready, async (c) => {
      const { db, now } = c.get('services');
      const { sweepAge, oldestOverdueAge } = await readOperations(db, now());
      const keepsUp =
        sweepAge !== null && sweepAge <= latestSweepMs && (oldestOverdueAge ?? 0) <= latestDeliveryMs;
      const body = {
        status: keepsUp ? 'ready' : 'late',
        lastSweepAgeSeconds: seconds(sweepAge),
        oldestOverdueAgeSeconds: seconds(oldestOverdueAge),
      };
      return c.json(body, keepsUp ? 200 : 503);
    })
    .get('/metrics', docs.metrics, metricsGuard(metricsToken), async (c) => {
      const { db, now } = c.get('services');
      const [operations, counters] = await Promise.all([readOperations(db, now()), readCounters(db)]);
      return c.text(prometheusText(operations, counters), 200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      });
    });

const metricsGuard = (token: string | undefined) =>
  token === undefined
    ? () => {
        throw notFound('resource');
      }
    : bearerAuth({
        token,
        noAuthenticationHeader: { message: refuse },
        invalidAuthenticationHeader: { message: refuse },
        invalidToken: { message: refuse },
      });

function refuse(): never {
  throw new Problem('auth.token-invalid', 'Expected the header Authorization: Bearer <METRICS_TOKEN>.');
}
