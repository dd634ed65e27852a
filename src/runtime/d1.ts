import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import type { Database } from '../db/database.ts';
import * as schema from '../db/schema.ts';

/** The application's database over a D1 binding. */
export const openD1 = (binding: D1Database): Database => drizzle(binding, { schema });
