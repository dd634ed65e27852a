import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { type Parameters, query } from '../db/query.ts';
import { pageBytes } from '../permissions/limits.ts';
import { bytesOfEntry, comesNext, type EntryRow, entriesOf, type HistoryEntry, toEntry } from './entries.ts';

/** The position of a notification in the history: when it is due (epoch ms), survey, occurrence, revision. */
export type HistoryKey = readonly [number, string, string, number];

export interface HistoryPage {
  limit: number;
  after?: HistoryKey | undefined;
  /** Epoch ms: only notifications that were due at or after it. */
  since?: number | undefined;
}

/** One of a page. */
export type ListedEntry = HistoryEntry & { bytes: number };

/** As many as asked for, and another one if more follow; or fewer, if the search goes on after `end`. */
export interface Listed {
  rows: ListedEntry[];
  end: HistoryKey | undefined;
}

export const keyOfEntry = ({
  dueAt,
  survey,
  key,
  revision,
}: Pick<HistoryEntry, 'dueAt' | 'survey' | 'key' | 'revision'>): HistoryKey => [dueAt, survey, key, revision];

/** Before every notification. */
const start: HistoryKey = [Number.MAX_SAFE_INTEGER, '', '', 0];

/** Before every notification that was due before this instant. @param at epoch ms */
export const startBefore = (at: number | undefined): HistoryKey | undefined =>
  at === undefined ? undefined : [at, '', '', 0];

/**
 * Notifications of the person that one page looks at, those of other surveys included: one survey of a person in hundreds of
 * them comes in shorter pages.
 */
const maxLooked = 5000;

const keyColumns = sql`user_id as user, due_at as dueAt, survey_id as survey, revision, occurrence, id`;
const isBehind = sql`(due_at, survey_id, revision, occurrence) < (:at, :survey, :revision, :key)`;
const newestFirst = sql`x.dueAt desc, x.survey desc, x.revision desc, x.occurrence desc`;

/**
 * In SQL: a page of the notifications of a user, from the surveys that are asked for: as many as `pageBytes` holds, at most
 * `limit`, and an extra one if more follow. The past is one range in the order of due times, of which SQLite reads no more
 * than the page needs; the last one that it may look at is in the answer, too. All cursors of the user are read. Of surveys that are not `isKnown` nothing is
 * in it, not even the last one.
 */
export function historyPage(
  user: SQL,
  isAsked: (survey: SQL) => SQL,
  isKnown: (survey: SQL) => SQL = () => sql`true`,
): SQL {
  const looked = sql`select ${keyColumns}, state,
      row_number() over (order by due_at desc, survey_id desc, revision desc, occurrence desc) = ${maxLooked} as isEnd
    from notification where user_id = ${user} and due_at between :since and :at and ${isBehind} and ${isKnown(sql`survey_id`)} limit ${maxLooked}`;
  const isShown = sql`${isAsked(sql`l.survey`)} and not (l.state in ('sending', 'invalidated') and exists (
    select 1 from scheduled_notification c where c.user_id = l.user and c.survey_id = l.survey and c.id = l.id))`;
  const past = sql`select user, dueAt, survey, revision, occurrence, id, 0 as isNext, l.isEnd, iif(l.isEnd, ${isShown}, 1) as isShown
    from (${looked}) l where l.isEnd or ${isShown} limit :limit`;
  const coming = sql`select ${keyColumns}, 1, 0, 1 from scheduled_notification c
    where user_id = ${user} and due_at >= :since and ${isBehind} and ${isAsked(sql`c.survey_id`)} and ${isKnown(sql`c.survey_id`)}
      and ${comesNext(sql`(select n.state from notification n where n.id = c.id)`)}`;
  const page = sql`select * from (select * from (${past}) union all ${coming}) x order by ${newestFirst} limit :limit`;
  const bytes = sql`iif(x.isShown, ${bytesOfEntry}, 0)`;
  const columns = sql`, x.isShown, x.isEnd, ${bytes} as bytes, row_number() over (order by ${newestFirst}) as place,
    sum(${bytes}) over (order by ${newestFirst}) - ${bytes} as bytesBefore`;
  return sql`${entriesOf(page, columns)} where bytesBefore <= ${pageBytes} order by place`;
}

type Row = EntryRow & { isShown: number; isEnd: number; bytes: number };

export function selectPage(
  db: Database,
  text: SQL,
  { limit, after = start, since = 0 }: HistoryPage,
  values: Parameters,
) {
  const [at, survey, key, revision] = after;
  return query<Row>(db, text, { ...values, since, at, survey, key, revision, limit: limit + 1 });
}

/** The page of these rows. */
export function listed(rows: readonly Row[]): Listed {
  const end = rows.findIndex(({ isEnd }) => isEnd);
  const last = rows[end];
  const shown = last && !last.isShown ? rows.slice(0, end) : rows.slice(0, last && end + 1);
  return { rows: shown.map(toEntry), end: last && keyOfEntry(last) };
}
