import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

const header = 'x-d1-bookmark';

/** How D1 writes its bookmarks (Cloudflare, "Time Travel and backups"): whatever else a client sends is ignored. */
const shape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

const reading = new Set(['GET', 'HEAD']);

/**
 * Gives each request a session of the database, where there are such: reads may be answered by a replica near the
 * client, which is never behind the bookmark that the client brings. The answer carries the bookmark of what it saw or
 * wrote.
 */
export const d1Session = createMiddleware<Env>(async (c, next) => {
  const services = c.get('services');
  const { db } = services;
  const writes = !reading.has(c.req.method);
  const session = db.openSession?.({ bookmark: bookmarkOf(c), writes });
  if (!session) return next();
  if (!writes) c.set('primary', db);
  c.set('services', { ...services, db: session.db });
  await next();
  const bookmark = session.bookmark();
  if (bookmark !== null) c.res.headers.set(header, bookmark);
});

function bookmarkOf(c: Context): string | null {
  const text = c.req.header(header);
  return text !== undefined && shape.test(text) ? text : null;
}
