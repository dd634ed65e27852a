import { createMiddleware } from 'hono/factory';
import type { ReplanJob, Services } from '../services.ts';
import type { Env } from './context.ts';

/** Starts the jobs that a request wrote to the outbox, once, after its handler succeeded. */
export const outbox = (start: (services: Services, jobs: readonly ReplanJob[]) => Promise<void>) =>
  createMiddleware<Env>(async (c, next) => {
    const jobs: ReplanJob[] = [];
    c.set('outbox', jobs);
    await next();
    if (!c.error) await start(c.get('services'), jobs);
  });
