import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { oneOf } from '../../db/json.ts';
import { notifications } from '../../db/schema/notifications.ts';
import { type ZoneUpgrade, zoneRules } from '../../db/schema/operations.ts';
import { rulesFrom } from '../../schedule/zone-rules.ts';
import { tzRelease, zoneNames } from '../../schedule/zones.ts';
import type { Context } from '../context.ts';

type Upgrading = Pick<Context, 'db' | 'now'>;

/** The upgrade as it was read: it is saved only if no other run has saved it since. */
export interface OpenUpgrade extends ZoneUpgrade {
  step: number;
}

const beginning: ZoneUpgrade['after'] = [Number.MIN_SAFE_INTEGER, '', ''];

/** A deployment is over within this long: then no process of the old release plans any more. */
const deploymentMs = 15 * 60_000;

/** What {@link hasUpgradeWork} asks for. One row, without its long columns; none unless it `asks`. */
export const selectUpgradeState = (db: Database, asks: boolean) =>
  db
    .select({
      release: zoneRules.release,
      next: sql<string | null>`${zoneRules.upgrade} ->> 'release'`.as('next'),
      resumesAt: sql<number | null>`${zoneRules.upgrade} ->> 'resumesAt'`.as('resumes_at'),
    })
    .from(zoneRules)
    .limit(Number(asks));

type UpgradeState = Awaited<ReturnType<typeof selectUpgradeState>>[number];

/** Whether notifications may be pending that were planned with the rules of another release, and it is time to look. */
export function hasUpgradeWork(state: UpgradeState | undefined, now: number): boolean {
  if (state === undefined) return true;
  if (state.next === tzRelease) return (state.resumesAt ?? now) <= now;
  return state.next !== null || state.release !== tzRelease;
}

/**
 * The upgrade to the current rules, which begins with the first call. Null: there is nothing to do, or not yet. A database
 * without a row was planned with the rules of its runtime, so every zone counts as changed. A release that arrives during
 * the upgrade to another starts from the beginning, with the zones of both.
 */
export async function openUpgrade({ db, now }: Upgrading): Promise<OpenUpgrade | null> {
  const [row] = await db.select().from(zoneRules);
  const current = row?.upgrade ?? null;
  if (row && current?.release === tzRelease)
    return current.resumesAt <= now ? { ...current, step: row.step } : null;
  if (row && !current && row.release === tzRelease) return null;

  const zones = zoneNames.filter(
    (name) => !row || current?.zones.includes(name) || rulesFrom(name, row.since) !== row.rules[name],
  );
  const upgrade: OpenUpgrade = {
    release: tzRelease,
    since: now,
    zones,
    after: beginning,
    confirming: false,
    resumesAt: now,
    step: row?.step ?? 0,
  };
  return zones.length > 0 ? save({ db }, upgrade) : finish({ db }, upgrade);
}

/**
 * The users of one page of pending notifications, the earliest first, whose zones have changed. A page has `limit`
 * notifications of any zone, so that it costs the same however many users are affected. The next page begins behind
 * `last`; null: this is the last one.
 */
export async function selectAffectedUsers(
  { db }: { db: Database },
  { after: [at, user, survey], zones }: ZoneUpgrade,
  limit: number,
): Promise<{ users: string[]; last: ZoneUpgrade['after'] | null }> {
  const { nextAttemptAt, userId, surveyId, timeZone, settledAt } = notifications;
  const key = { nextAttemptAt, userId, surveyId };
  const order = [asc(nextAttemptAt), asc(userId), asc(surveyId)];
  const behind = and(
    isNull(settledAt),
    sql`(${nextAttemptAt}, ${userId}, ${surveyId}) > (${at}, ${user}, ${survey})`,
  );
  const page = db
    .select({ ...key, timeZone })
    .from(notifications)
    .where(behind)
    .orderBy(...order)
    .limit(limit)
    .as('page');
  const [users, [last]] = await db.batch([
    db.selectDistinct({ user: page.userId }).from(page).where(oneOf(page.timeZone, zones)),
    db
      .select(key)
      .from(notifications)
      .where(behind)
      .orderBy(...order)
      .limit(1)
      .offset(limit - 1),
  ]);
  return {
    users: users.map((row) => row.user),
    last: last ? [last.nextAttemptAt, last.userId, last.surveyId] : null,
  };
}

/**
 * Saves that the pages up to `last` are done. After the last page a second pass begins once the deployment is over, and
 * after that the current rules are those that plans are made with. Returns the upgrade to continue now; null when there
 * is none, or another run has continued it.
 */
export async function saveUpgrade(
  { db, now }: Upgrading,
  upgrade: OpenUpgrade,
  last: ZoneUpgrade['after'] | null,
): Promise<OpenUpgrade | null> {
  if (last) return save({ db }, { ...upgrade, after: last });
  if (upgrade.confirming) return finish({ db }, upgrade);
  await save({ db }, { ...upgrade, after: beginning, confirming: true, resumesAt: now + deploymentMs });
  return null;
}

async function save({ db }: { db: Database }, { step, ...upgrade }: OpenUpgrade) {
  return (await write(db, step, { upgrade })) ? { ...upgrade, step: step + 1 } : null;
}

async function finish({ db }: { db: Database }, { step, release, since }: OpenUpgrade) {
  const rules = Object.fromEntries(zoneNames.map((name) => [name, rulesFrom(name, since)]));
  await write(db, step, { release, since, rules, upgrade: null });
  return null;
}

/** Whether it was written: not when another run has written since `step`. */
async function write(db: Database, step: number, set: Partial<typeof zoneRules.$inferInsert>) {
  const values = { ...set, step: step + 1 };
  const written = await db
    .insert(zoneRules)
    .values({ id: 1, release: '', since: 0, rules: {}, ...values })
    .onConflictDoUpdate({ target: zoneRules.id, set: values, setWhere: eq(zoneRules.step, step) })
    .returning({ step: zoneRules.step });
  return written.length > 0;
}
