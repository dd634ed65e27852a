import { createMiddleware } from 'hono/factory';
import type { Services } from '../services.ts';
import type { Env } from './context.ts';

/** Looks at the plans that a request has changed, once, after its handler succeeded. */
export const woken = (look: (services: Services, users: ReadonlySet<string>) => Promise<void>) =>
  createMiddleware<Env>(async (c, next) => {
    const users = new Set<string>();
    c.set('woken', users);
    await next();
    if (!c.error && users.size > 0) await look(c.get('services'), users);
  });
