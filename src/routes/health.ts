import { Hono } from 'hono';
import type { Env } from '../http/context.ts';

/** Liveness: the service answers. */
export const health = new Hono<Env>().get('/health', (c) => c.json({ status: 'ok' }));
