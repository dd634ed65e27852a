import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { investigations } from '../db/schema.ts';
import { Problem } from '../errors.ts';

type Counter = 'case_count' | 'member_count' | 'survey_count';

/** In SQL: the study has fewer than `most`. The counters are kept by triggers, so that this reads one row. */
export const hasRoom = (investigation: string, counter: Counter, most: number): SQL =>
  Number.isFinite(most)
    ? sql`(select ${sql.identifier(counter)} from investigation where id = ${investigation}) < ${most}`
    : sql`1`;

export const selectSize = (db: Database, investigation: string) =>
  db
    .select({ memberCount: investigations.memberCount, surveyCount: investigations.surveyCount })
    .from(investigations)
    .where(eq(investigations.id, investigation));

export const studyFull = (what: 'cases' | 'members' | 'surveys', most: number) =>
  new Problem('study.full', `The study has ${most} ${what}, and may have no more.`);
