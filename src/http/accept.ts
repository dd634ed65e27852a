import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Whether the client prefers this media type to JSON (RFC 9110, 12.5.1). */
export const prefers = (c: Context, type: string): boolean =>
  accepts(c, { header: 'Accept', supports: ['application/json', type], default: 'application/json' }) ===
  type;
