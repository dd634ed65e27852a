import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** The media type that the client prefers, of JSON and these (RFC 9110, 12.5.1). */
export const preferred = <T extends string>(c: Context, types: readonly T[]) =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', ...types],
    default: 'application/json',
  }) as T | 'application/json';

/** Whether the client prefers this media type to JSON. */
export const prefers = (c: Context, type: string): boolean => preferred(c, [type]) === type;

/** JSON values, one a line. */
export const ndjson = 'application/x-ndjson';
