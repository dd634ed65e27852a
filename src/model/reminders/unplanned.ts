import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import type { Context } from '../context.ts';
import {
  lastOf,
  type ReminderRow,
  reminderColumns,
  reminderTables,
  stampsOf,
  toReminders,
  type UserReminders,
} from './state.ts';

/** When a user's notifications must next be attempted, epoch ms. */
export interface NextAttempt {
  user: string;
  at: number;
}

/** What one read finds to plan. */
interface Portion {
  states: UserReminders[];
  /** The first attempt of each user whose other notifications are planned from the state as it is. */
  kept: NextAttempt[];
  /** Nothing comes after it. */
  last: boolean;
}

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

/** Surveys of users that one statement looks at. */
const portionSize = 2500;

/**
 * Reads what is to be planned of some users: whatever was not planned from the state as it is now; with `verify` all. One
 * round trip for users with few surveys. However many there are, no statement looks at more than a portion of them, and
 * what is planned already is not returned.
 */
export async function* readUnplanned(
  context: Reading,
  users: readonly string[],
  verify: boolean,
): AsyncGenerator<Portion, void> {
  const whole = await readGroup(context, users, verify);
  if (whole) yield { ...whole, last: true };
  else {
    for (const group of await selectGroups(context, users)) {
      const [only] = group;
      const portion = await readGroup(context, group, verify);
      if (portion) yield { ...portion, last: false };
      else if (group.length === 1 && only !== undefined) yield* readPages(context, only, verify);
      // Surveys were added meanwhile.
      else for (const user of group) yield* readPages(context, user, verify);
    }
    yield { states: [], kept: [], last: true };
  }
}

type Found = Omit<Portion, 'last'>;

/** What is to be planned of all surveys of these users, or null if they are too many for one statement. */
async function readGroup(context: Reading, users: readonly string[], verify: boolean): Promise<Found | null> {
  const plans = await selectPlans(context.db, users, { verify });
  return plans.length > portionSize ? null : toFound(context, plans);
}

/** The users in groups that are small enough for one statement, where a user is. */
async function selectGroups({ db }: Reading, users: readonly string[]): Promise<string[][]> {
  const sizes = await db
    .select({
      user: sql<string>`m.user_id`.as('user'),
      surveys: sql<number>`sum(i.survey_count)`.as('surveys'),
    })
    .from(
      sql`${each(users)} j join member m on m.user_id = j.value join investigation i on i.id = m.investigation_id`,
    )
    .groupBy(sql`m.user_id`);
  const groups: string[][] = [];
  let left = 0;
  for (const { user, surveys } of sizes) {
    if (surveys >= left) {
      groups.push([]);
      left = portionSize;
    }
    groups.at(-1)?.push(user);
    left -= surveys;
  }
  return groups;
}

/** The position of a survey among those of a user. */
type Position = readonly [investigation: string, createdAt: number, survey: string];

const beginning: Position = ['', Number.MIN_SAFE_INTEGER, ''];
const position = sql`(m.investigation_id, s.created_at, s.id)`;

/** The surveys of one user in portions, whatever their number. */
async function* readPages(context: Reading, user: string, verify: boolean): AsyncGenerator<Portion, void> {
  const { db } = context;
  let after: Position | null = beginning;
  while (after) {
    const next: Position | null = await selectEnd(db, user, after);
    const behind = sql`m.investigation_id >= ${after[0]} and ${position} > (${after[0]}, ${after[1]}, ${after[2]})`;
    const page: SQL = next
      ? sql`${behind} and m.investigation_id <= ${next[0]} and ${position} <= (${next[0]}, ${next[1]}, ${next[2]})`
      : behind;
    yield {
      ...(await toFound(context, await selectPlans(db, [user], { page, verify }))),
      last: false,
    };
    after = next;
  }
}

/** Where the portion ends that begins behind `after`; null: it is the last. */
async function selectEnd(db: Database, user: string, after: Position): Promise<Position | null> {
  const [end] = await db
    .select({
      investigation: sql<string>`m.investigation_id`.as('investigation'),
      createdAt: sql<number>`s.created_at`.as('created_at'),
      survey: sql<string>`s.id`.as('survey'),
    })
    .from(sql`member m join survey s on s.investigation_id = m.investigation_id`)
    .where(
      sql`m.user_id = ${user} and m.investigation_id >= ${after[0]} and ${position} > (${after[0]}, ${after[1]}, ${after[2]})`,
    )
    .orderBy(sql`m.investigation_id`, sql`s.created_at`, sql`s.id`)
    .limit(1)
    .offset(portionSize - 1);
  return end ? [end.investigation, end.createdAt, end.survey] : null;
}

/**
 * In SQL: when the last notification is attempted next, if it is pending and planned from the state as it is; -1 if it is
 * pending otherwise, -2 if it is settled, null if there is none.
 */
const lastAttempt = lastOf(
  sql`case when n.settled_at is not null then -2 when n.plan_basis = ${stampsOf('u', 's')} then n.look_at else -1 end`,
);

/** In SQL: the series has begun. */
const hasBegun = sql`(d.at is not null or not (json_valid(s.reminders) and s.reminders ->> 'type' = 'fixed'))`;

/** Texts are not planned, and each of them may be longer than all the rest. */
const withoutTexts = sql`case when json_valid(s.reminders)
  then json_remove(s.reminders, '$.notification', '$.translations') else s.reminders end`;

const columns = reminderColumns(withoutTexts, sql`'[]'`);
const names = Object.keys(columns);
/** As text, so that the JSON within is not taken for a part of it. */
const texts = new Set(['reminders', 'latest']);
const values = Object.entries(columns).map(([name, column]) =>
  texts.has(name) ? sql`(${column.sql}) || ''` : column.sql,
);

interface Plan {
  user: string;
  /** What is to be planned, the values of `names` as JSON; or when what is planned already is attempted next, epoch ms. */
  found: string | number | null;
}

/** In SQL: the survey may remind, or something is still pending. */
const mayRemind = sql`((s.reminders is not null and s.archived_at is null and i.archived_at is null)
  or ${lastOf(sql`n.settled_at is null`)})`;

/**
 * A row for each survey of the users, also of those that never remind: one more than a portion tells that there are too
 * many, without counting them before. The inner LIMIT keeps SQLite from looking for the last notification again for each
 * condition.
 */
const selectPlans = (
  db: Database,
  users: readonly string[],
  { page, verify }: { page?: SQL; verify: boolean },
) =>
  db
    .select({
      user: sql<string>`u.id`.as('user'),
      found: sql<
        Plan['found']
      >`case when ${mayRemind} then (select case when at >= 0 and not ${Number(verify)} then at
        when at >= -1 or (s.reminders is not null and ${hasBegun}) then json_array(${sql.join(values, sql`, `)}) end
        from (select ${lastAttempt} as at limit 1)) end`.as('found'),
    })
    .from(sql`${each(users)} j ${reminderTables}`)
    .where(page)
    .limit(portionSize + 1);

async function toFound(context: Reading, plans: Plan[]): Promise<Found> {
  const rows: ReminderRow[] = [];
  const kept = new Map<string, number>();
  for (const { user, found } of plans) {
    if (typeof found === 'string') rows.push(toRow(JSON.parse(found)));
    else if (found !== null) kept.set(user, Math.min(found, kept.get(user) ?? found));
  }
  return {
    states: await toReminders(context, rows, true),
    kept: [...kept].map(([user, at]) => ({ user, at })),
  };
}

const toRow = (state: unknown[]) =>
  ({
    ...Object.fromEntries(names.map((name, n) => [name, state[n]])),
    translations: null,
  }) as unknown as ReminderRow;
