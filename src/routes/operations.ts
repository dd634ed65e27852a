import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { z } from 'zod';
import { notFound, Problem } from '../errors.ts';
import { contextOf, type Env } from '../http/context.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { prometheusText } from '../http/prometheus.ts';
import { type Operations, readCounters, readOperations } from '../model/metrics.ts';
import { tzRelease } from '../schedule/zones.ts';

const tag = 'Operations';

/** The sweep runs each minute, and delivers what an alarm missed by a minute. */
const maxSweepAgeMs = 5 * 60_000;
const maxOverdueMs = 10 * 60_000;

const age = z.int().nullable();
const liveness = z.strictObject({
  status: z.literal('ok'),
  zones: z.string().meta({ description: 'The release of the tz database whose rules are in use.' }),
});
const readiness = z
  .strictObject({
    status: z.enum(['ready', 'late']),
    lastSweepAgeSeconds: age,
    oldestOverdueAgeSeconds: age,
    reasons: z
      .array(z.strictObject({ code: z.enum(['sweep.missing', 'notifications.overdue']), detail: z.string() }))
      .meta({ description: 'Why it is late; empty when it is ready.' }),
  })
  .meta({ id: 'Readiness' });

type Readiness = z.input<typeof readiness>;

const reasons = {
  sweep: {
    code: 'sweep.missing',
    detail:
      'No sweep has run in five minutes: the Cron Trigger does not fire. Under `wrangler dev` nothing fires it; `npm run cron` does.',
  },
  overdue: {
    code: 'notifications.overdue',
    detail: 'A notification has been due for more than ten minutes.',
  },
} satisfies Record<string, Readiness['reasons'][number]>;

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

/** For operators: whether the service is alive and keeps up, and its metrics. */
export const createOperations = (metricsToken: string | undefined) =>
  new Hono<Env>()
    .get(
      '/health',
      documented({
        id: 'health',
        tag,
        summary: 'Tells that the service is alive',
        access: 'open',
        answers: { 200: json('It is.', liveness, { status: 'ok', zones: '2026f' }) },
      }),
      (c) => c.json<z.input<typeof liveness>>({ status: 'ok', zones: tzRelease }),
    )
    .get(
      '/health/ready',
      documented({
        id: 'readiness',
        tag,
        summary: 'Tells whether reminders keep up',
        access: 'open',
        answers: {
          200: json('They do.', readiness, {
            status: 'ready',
            lastSweepAgeSeconds: 24,
            oldestOverdueAgeSeconds: null,
            reasons: [],
          }),
          503: json('They are late, or the database is overloaded.', readiness, {
            status: 'late',
            lastSweepAgeSeconds: 31,
            oldestOverdueAgeSeconds: 1260,
            reasons: [reasons.overdue],
          }),
        },
        problems: ['database.overloaded'],
      }),
      async (c) => {
        const body = toReadiness(await readOperations(contextOf(c)));
        return c.json(body, body.status === 'ready' ? 200 : 503);
      },
    )
    .get(
      '/metrics',
      documented({
        id: 'metrics',
        tag,
        summary: "Metrics in Prometheus' text format",
        description: 'Without a configured `METRICS_TOKEN` it does not exist.',
        access: 'metrics',
        answers: {
          200: { description: 'The metrics.', also: { 'text/plain': { schema: { type: 'string' } } } },
        },
        problems: ['auth.token-invalid', 'resource.not-found', 'database.overloaded'],
      }),
      metricsGuard(metricsToken),
      async (c) => {
        const context = contextOf(c);
        const [operations, counters] = await Promise.all([readOperations(context), readCounters(context)]);
        return c.text(prometheusText(operations, counters), 200, {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        });
      },
    );

function toReadiness({ sweepAge, oldestOverdueAge }: Operations): Readiness {
  const late = [
    ...(sweepAge === null || sweepAge > maxSweepAgeMs ? [reasons.sweep] : []),
    ...((oldestOverdueAge ?? 0) > maxOverdueMs ? [reasons.overdue] : []),
  ];
  return {
    status: late.length === 0 ? 'ready' : 'late',
    lastSweepAgeSeconds: seconds(sweepAge),
    oldestOverdueAgeSeconds: seconds(oldestOverdueAge),
    reasons: late,
  };
}

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
