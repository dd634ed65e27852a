import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import * as z from 'zod';
import { notFound, Problem } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { tzRelease } from '../../schedule/zones.ts';
import type { Services } from '../../services.ts';
import { type Health, readCounters, readHealth, readOperations } from '../metrics.ts';
import { prometheusText } from '../prometheus.ts';

const tag = 'Operations';

/** The sweep runs each minute, and delivers reminders that an alarm missed by a minute. */
const maxSweepAgeMs = 5 * 60_000;
/** Due reminders, and plans, that have waited for longer are late. */
const maxWaitMs = 10 * 60_000;
/** The longest time for which a push is tried. The relay may have been repaired since, with nothing to push. */
const refusalMs = 24 * 3600_000;

const causes = ['sweep', 'overdue', 'plans', 'relay', 'clock', 'database'] as const;

const age = z.int().nullable();
const liveness = z.strictObject({
  status: z.enum(['ok', 'stopped']),
  zones: z.string().meta({ description: 'The release of the tz database whose rules are in use.' }),
});
const readiness = z
  .strictObject({
    status: z.enum(['ready', 'late']),
    causes: z.array(z.enum(causes)).meta({
      description:
        'Why the service is late. `sweep`: no sweep ran in five minutes. `overdue`: a reminder has been due for ten minutes, and none was delivered since. `plans`: plans of a study, a survey or a person have waited for ten minutes. `relay`: a push service refuses pushes or phones because of credentials or settings, and has accepted no push since. `clock`: the clock of the machine is wrong by more than ten minutes, or was set, and nothing is delivered until it is right. `database`: nothing can be written, so nothing is pushed, for instance because another process has locked the file or the disk is full.',
    }),
    lastSweepAgeSeconds: age,
    oldestOverdueAgeSeconds: age,
    hint: z.string().optional().meta({ description: 'A remedy, if no sweep runs.' }),
  })
  .meta({ id: 'Readiness' });

const sweepHint =
  'The Cron Trigger does not fire. `wrangler dev` alone never fires it: `npm run cron` in another terminal does.';

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

/** For operators: whether the service is alive and keeps up, and its metrics. */
export const createOperations = (metricsToken: string | undefined) =>
  new Hono<Env>()
    .get(
      '/health',
      documented({
        id: 'health',
        tag,
        summary: 'Tells whether the service is alive',
        access: 'open',
        answers: {
          200: json('The service is alive.', liveness, { status: 'ok', zones: '2026f' }),
          503: json(
            'The process answers, but the work of each minute has not ended for ten: restart it.',
            liveness,
            { status: 'stopped', zones: '2026f' },
          ),
        },
      }),
      (c) => {
        const isAlive = c.get('services').minuteIsAlive?.() ?? true;
        const body: z.input<typeof liveness> = { status: isAlive ? 'ok' : 'stopped', zones: tzRelease };
        return c.json(body, isAlive ? 200 : 503);
      },
    )
    .get(
      '/health/ready',
      documented({
        id: 'readiness',
        tag,
        summary: 'Tells whether reminders keep up',
        access: 'open',
        answers: {
          200: json('Reminders keep up.', readiness, {
            status: 'ready',
            causes: [],
            lastSweepAgeSeconds: 24,
            oldestOverdueAgeSeconds: null,
          }),
          503: json('Reminders are late, or the database is overloaded.', readiness, {
            status: 'late',
            causes: ['overdue', 'relay'],
            lastSweepAgeSeconds: 31,
            oldestOverdueAgeSeconds: 1260,
          }),
        },
        problems: ['database.overloaded'],
      }),
      async (c) => {
        const context = contextOf(c);
        const { now } = context;
        const services = c.get('services');
        const clockAgrees = services.clockAgrees?.() ?? true;
        const canWrite = takesWrites(services);
        const body = toReadiness(await readHealth(context, now - maxWaitMs), { now, clockAgrees, canWrite });
        return c.json(body, body.status === 'ready' ? 200 : 503);
      },
    )
    .get(
      '/metrics',
      documented({
        id: 'metrics',
        tag,
        summary: "Metrics in Prometheus' text format",
        description: 'The route exists only with a configured `METRICS_TOKEN`.',
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

/** The last claim or record of a turn tells. */
const takesWrites = ({ canWrite, records }: Services): boolean => (canWrite?.() ?? true) && !records.refused;

function toReadiness(
  health: Health,
  { now, clockAgrees, canWrite }: { now: number; clockAgrees: boolean; canWrite: boolean },
): z.input<typeof readiness> {
  const { sweptAt, oldestOverdueAt, newestLateAt, wokenAt, refused } = health;
  const age = (at: number | null) => (at === null ? null : now - at);
  // A time from a fast clock says nothing about now.
  const past = (at: number | null) => (at !== null && at <= now ? at : 0);
  const deliveredAt = past(health.deliveredAt);
  const late = {
    sweep: (age(sweptAt) ?? Infinity) > maxSweepAgeMs,
    overdue: newestLateAt !== null && deliveredAt < newestLateAt,
    plans: (age(wokenAt) ?? 0) > maxWaitMs,
    relay: refused.some(({ ranAt }) => now - ranAt < refusalMs),
    clock: !clockAgrees,
    database: !canWrite,
  };
  const lateCauses = causes.filter((cause) => late[cause]);
  return {
    status: lateCauses.length === 0 ? 'ready' : 'late',
    causes: lateCauses,
    lastSweepAgeSeconds: seconds(age(sweptAt)),
    oldestOverdueAgeSeconds: seconds(age(oldestOverdueAt)),
    ...(late.sweep && { hint: sweepHint }),
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
