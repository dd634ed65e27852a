import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import { query } from '../db/query.ts';
import type { Services } from '../services.ts';
import { noteUserZones } from './effective-zone.ts';
import { planAll } from './jobs.ts';
import { planNext } from './plan.ts';
import { type ReminderRow, toReminders } from './state.ts';
import { reminders, stateColumns, tablesOfMembers } from './state-rows.ts';
import { wakeUsers } from './wake.ts';

/** Surveys of users that one statement reads, with texts of up to 4 KB each. */
const pageSize = 250;

const page = sql`select ${stateColumns}, ${reminders}, c.user_id is null as isMissing from member m ${tablesOfMembers}
  where m.user_id in (select value from json_each(:users)) and (m.user_id, s.id) > (:user, :survey)
    and s.plain_reminders is not null and c.claimed_until is null
  order by m.user_id, s.id limit ${pageSize}`;

/**
 * Compares the cursors of some users with their plans, and wakes users whose cursors differ: a wake that a write has
 * forgotten, or a database that was restored, is mended within a day. It only reads where all is well.
 */
export async function verifyPlans(services: Services, users: readonly string[]): Promise<void> {
  if (users.length === 0) return;
  const context = { ...services, now: services.now() };
  const differing = new Set<string>();
  for (let after = { user: '', survey: '' }, isWhole = false; !isWhole; ) {
    const rows = await query<ReminderRow & { isMissing: number }>(services.db, page, {
      users: JSON.stringify(users),
      now: context.now,
      ...after,
    });
    for (const [n, state] of toReminders(context, rows).entries())
      if (rows[n]?.isMissing || differs(state, context.now)) differing.add(state.user);
    const last = rows.at(-1);
    isWhole = !last || rows.length < pageSize;
    if (last) after = { user: last.user, survey: last.survey };
    await breathe();
  }
  await noteUserZones(context, users);
  if (differing.size === 0) return;
  await services.db.batch([...wakeUsers(context, [...differing])]);
  await planAll(services, [...differing]);
}

/** A notification that is due is left to its delivery. */
function differs(state: Parameters<typeof planNext>[0], now: number): boolean {
  const { pending } = state;
  if (pending && pending.nextAttemptAt <= now) return false;
  const { next, finish } = planNext(state, now);
  return finish.length > 0 || next?.id !== pending?.id || next?.dueAt !== pending?.dueAt;
}
