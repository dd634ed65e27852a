import { createMiddleware } from 'hono/factory';
import { attempt } from '../attempt.ts';
import type { Context } from '../context.ts';
import { participantIssuer } from '../identifiers.ts';
import { contextOf, type Env } from './context.ts';
import { remember } from './remember.ts';

const dayMs = 24 * 3600 * 1000;
/** Somebody who is not of the staff may become so. */
const othersMs = 3600 * 1000;

const inPath = /^\/investigation\/([0-9a-f]{32})(?:\/|$)/;

/**
 * Notes, after the answer, that the caller made a request about a study today, unless this process knows it already; so
 * that other requests cost nothing more. `record` tells whether the caller is of the staff.
 */
export function noteAccess(record: (context: Context, study: string) => Promise<boolean>) {
  /** By day, person and study: the moment from which it is not known any more. */
  const noted = new Map<string, number>();
  return createMiddleware<Env>(async (c, next) => {
    await next();
    const study = c.get('study') ?? inPath.exec(c.req.path)?.[1];
    const isParticipant = c.get('identity').issuer === participantIssuer && !c.get('isProgram');
    if (study === undefined || c.res.status >= 400 || isParticipant) return;
    const context = contextOf(c);
    const day = Math.floor(context.now / dayMs);
    const key = `${day} ${context.actor} ${study}`;
    if (context.now < (noted.get(key) ?? 0)) return;
    const endOfDay = (day + 1) * dayMs;
    remember(noted, key, endOfDay);
    const services = c.get('services');
    const note = async () => {
      try {
        if (!(await record(context, study))) remember(noted, key, context.now + othersMs);
      } catch (error) {
        noted.delete(key);
        throw error;
      }
    };
    services.defer(() => attempt(services, 'access.failed', note));
  });
}
