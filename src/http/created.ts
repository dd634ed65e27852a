import type { Context } from 'hono';

/** The status of an answer to a creation: 201 with the address of the new resource, 200 for an existing one. */
export function statusOf(c: Context, { created, location }: { created: boolean; location: string }) {
  if (!created) return 200;
  c.header('Location', location);
  return 201;
}
