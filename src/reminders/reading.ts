import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import type { ReminderTexts } from '../schedule/languages.ts';
import { answersSinceMs } from './answers.ts';
import { takesSurvey } from './groups.ts';
import type { ReminderRow } from './state.ts';
import {
  isFrozen,
  reminders,
  type SurveyTexts,
  selectTextsOf,
  stateColumns,
  tablesOfMembers,
} from './state-rows.ts';

/** Surveys that one read takes, with texts of up to 4 KB each. */
export const maxSurveys = 100;

/**
 * In SQL: the surveys that the user takes, which have reminders, or had them lately; and those whose
 * notifications are not finished.
 */
const rows = sql`from member m ${tablesOfMembers} where m.user_id = :user and u.deleted_at is null
  and (${takesSurvey}
      and (s.reminders is not null or s.reminders_revision > 0 and s.reminders_since > :now - ${answersSinceMs})
    or c.next_at is not null)`;

/** In SQL: no push of the survey is earlier (epoch ms); null: none comes. */
const notBefore = sql`iif(c.next_at is null, null, max(min(c.next_at, coalesce(c.attempt_at, c.next_at)),
  coalesce(u.paused_until, 0), coalesce(m.paused_until, 0)))`;

const select = sql`select ${stateColumns}, ${reminders}`;

const texts = {
  ofSurvey: sql`${select} ${rows} and s.id = :survey`,
  some: sql`${select}, null as notBefore ${rows} limit :limit`,
  /** By the earliest possible push, without frozen studies. The columns of a portion are read for it alone. */
  foreseen: sql`${select}, ${notBefore} as notBefore ${rows} and s.id in (
      select s.id ${rows} and not ${isFrozen}
      order by ${notBefore} is null, ${notBefore}, s.id limit :limit offset :offset)
    order by notBefore is null, notBefore, s.id`,
};

/** A row of a user's surveys. No push of it, or of those after it in the order of pushes, is earlier (epoch ms). */
export type OrderedRow = ReminderRow & { notBefore: number | null };

interface Selection {
  /** Epoch ms. */
  now: number;
  limit: number;
  /** Rows to skip in that order. */
  offset?: number;
}

/**
 * One row per survey that reminds the user, without translations. `limit` bounds the rows; only users with more rows than
 * that need the order of pushes, `foreseen`.
 */
export const selectReminders = (
  db: Database,
  user: string,
  { now, limit, offset = 0 }: Selection,
  order: 'some' | 'foreseen' = 'some',
) => query<OrderedRow>(db, texts[order], { user, now, limit, offset });

/** The row of one survey without translations, if there is one. */
export const selectRemindersOf = (
  db: Database,
  { user, survey }: Record<'user' | 'survey', string>,
  now: number,
) => query<ReminderRow>(db, texts.ofSurvey, { user, survey, now });

/** The translations of some surveys that may serve a phone of the user. */
export async function readTranslations(
  db: Database,
  user: string,
  surveys: readonly string[],
): Promise<Map<string, ReminderTexts['translations']>> {
  const found = await query<SurveyTexts>(db, textsOfSurveys, { user, surveys: JSON.stringify(surveys) });
  return new Map(found.map(({ survey, translations }) => [survey, JSON.parse(translations ?? '{}')]));
}

const textsOfSurveys = selectTextsOf(sql`select value from json_each(:surveys)`, sql`:user`);
