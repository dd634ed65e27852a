import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { oneOf } from '../db/json.ts';
import {
  lastOf,
  type ReminderRow,
  reminderColumns,
  reminderTables,
  stampsOf,
  toReminders,
  type UserReminders,
} from './state.ts';

/** The next attempt of a user's notifications, epoch ms. */
export interface NextAttempt {
  user: string;
  at: number;
}

/** A page of states to plan. */
interface Page {
  states: UserReminders[];
  /** The first attempt of each user whose other notifications have up-to-date plans. */
  kept: NextAttempt[];
  /** The last page. */
  last: boolean;
}

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

/** Surveys of users that one statement looks at: more than a study may have, so that each page reaches another study. */
const pageSize = 2500;

/** A study of a user, in the order of the pages. */
type Position = readonly [user: string, investigation: string];

/**
 * Reads the states to plan of some users: those whose plan is out of date, or all with `verify`. One round trip per page;
 * users with few surveys have one page. Up-to-date plans are not returned. A page begins with the study in which the
 * previous one ended: its surveys that are planned by then are up to date.
 */
export async function* readUnplanned(
  context: Reading,
  users: readonly string[],
  verify: boolean,
): AsyncGenerator<Page, void> {
  let from: Position = ['', ''];
  for (let last = false; !last; ) {
    const left = users.filter((user) => user >= from[0]);
    const plans = await selectPlans(context, left, { from, verify });
    const end = plans.at(-1);
    if (end) from = [end.user, end.investigation];
    last = plans.length < pageSize;
    yield { ...toFound(context, plans), last };
  }
}

/** In SQL: the series has begun for the user, who takes part. */
const hasBegun = sql`(m.participant_since is not null
  and (d.at is not null or not (json_valid(s.plain_reminders) and s.plain_reminders ->> 'type' = 'fixed')))`;

/**
 * In SQL: `planned`, if the last notification is pending and its plan up to date; `open`, if there is something to plan.
 */
const outlook = (verify: boolean) =>
  sql`coalesce(${lastOf(sql`case when n.settled_at is null
      then iif(n.planned_from = ${stampsOf('u', 's')} and not ${Number(verify)}, 'planned', 'open') end`)},
    case when s.plain_reminders is not null and ${hasBegun} then 'open' end)`;

/** Plans need no texts, and each text may be longer than everything else. */
const withoutTexts = sql`case when json_valid(s.plain_reminders)
  then json_remove(s.plain_reminders, '$.notification') else s.plain_reminders end`;

const columnsAt = (now: number) => reminderColumns(withoutTexts, sql`'[]'`, sql`${now}`);
const names = Object.keys(columnsAt(0));
/** As text, so that JSON inside is not taken for a part of the row. */
const texts = new Set(['reminders', 'latest', 'pushed', 'triggers']);
const valuesAt = (now: number) =>
  Object.entries(columnsAt(now)).map(([name, column]) =>
    texts.has(name) ? sql`(${column.sql}) || ''` : column.sql,
  );

interface Plan {
  user: string;
  /** The state to plan, the values of `names` as JSON; or the next attempt of an up-to-date plan, epoch ms. */
  found: string | number | null;
}

/** In SQL: the survey may remind, or a notification is still pending. */
const mayRemind = sql`((s.plain_reminders is not null and s.archived_at is null and i.archived_at is null)
  or ${lastOf(sql`n.settled_at is null`)})`;

/** A row for each survey of the users, including surveys that never remind. The order is that of the indexes. */
const selectPlans = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  users: readonly string[],
  { from: [user, investigation], verify }: { from: Position; verify: boolean },
) =>
  db
    .select({
      user: sql<string>`u.id`.as('user'),
      investigation: sql<string>`m.investigation_id`.as('investigation'),
      found: sql<Plan['found']>`case when ${mayRemind} then case ${outlook(verify)}
        when 'planned' then ${lastOf(sql`n.next_attempt_at`)} when 'open' then json_array(${sql.join(valuesAt(now), sql`, `)}) end end`.as(
        'found',
      ),
    })
    .from(sql`user u ${reminderTables}`)
    .where(
      sql`${oneOf(sql`u.id`, users)} and u.deleted_at is null
        and (u.id, m.investigation_id) >= (${user}, ${investigation})`,
    )
    .orderBy(sql`u.id`, sql`m.investigation_id`)
    .limit(pageSize);

function toFound(context: Reading, plans: Plan[]): Omit<Page, 'last'> {
  const rows: ReminderRow[] = [];
  const kept = new Map<string, number>();
  for (const { user, found } of plans) {
    if (typeof found === 'string') rows.push(toRow(JSON.parse(found)));
    else if (found !== null) kept.set(user, Math.min(found, kept.get(user) ?? found));
  }
  return {
    states: toReminders(context, rows),
    kept: [...kept].map(([user, at]) => ({ user, at })),
  };
}

const toRow = (state: unknown[]) =>
  ({
    ...Object.fromEntries(names.map((name, n) => [name, state[n]])),
    translations: null,
  }) as unknown as ReminderRow;
