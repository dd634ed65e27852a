import type { D1Database } from '@cloudflare/workers-types';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { d1Driver } from './d1-driver.ts';

/** The application's database over a D1 binding. */
export const openD1 = (binding: D1Database): Database => openDatabase(d1Driver(binding));
