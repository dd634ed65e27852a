import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

const header = 'x-d1-bookmark';

/** The form of D1 bookmarks (Cloudflare, "Time Travel and backups"). Other text is ignored. */
const bookmarkPattern = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

const readMethods = new Set(['GET', 'HEAD']);

/**
 * Gives each request a D1 session, on databases with read replicas: a replica near the client answers reads, and is never
 * behind the bookmark that the client sends. The answer carries the bookmark of the state that it read or wrote.
 */
export const d1Session = createMiddleware<Env>(async (c, next) => {
  const services = c.get('services');
  const { db } = services;
  const writes = !readMethods.has(c.req.method);
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
  return text !== undefined && bookmarkPattern.test(text) ? text : null;
}
