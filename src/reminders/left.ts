import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each } from '../db/json.ts';
import { asJson, type NotificationKey } from './columns.ts';
import { decide } from './lifecycle.ts';
import { writeChanges } from './record.ts';
import { hasNext, latest, reminderColumns, toReminders, withoutTranslations } from './state.ts';

type Settling = Pick<Context, 'db' | 'now' | 'log'>;

const maxAttempts = 5;

/**
 * Settles the pending notifications of a user in a study of which they are no longer a member. Those that are refused,
 * because the survey changed between read and write, are settled again.
 */
export async function settleFormer(
  context: Settling,
  { user, investigation }: { user: string; investigation: string },
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const refused = await settle(context, {
      rows: sql`(select ${user} as user, n.id as survey, null as number, null as slot_key
        from survey n where n.investigation_id = ${investigation})`,
      which: sql`m.user_id is null and ${hasNext}`,
    });
    if (refused.length === 0) return;
  }
  throw new Error('the surveys of a former member kept changing while their notifications were settled');
}

/**
 * Settles overdue notifications that no delivery reads: those of former members (or deleted users), and those with two
 * others behind them.
 */
export async function settleLeft(context: Settling, overdue: readonly NotificationKey[]): Promise<void> {
  await settle(context, {
    rows: sql`(select n.user_id as user, n.survey_id as survey, n.revision as number, n.occurrence as slot_key
      from ${each(overdue)} j cross join scheduled_notification n
      where (n.user_id, n.survey_id, n.revision, n.occurrence)
          = (j.value ->> 'userId', j.value ->> 'surveyId', j.value ->> 'revision', j.value ->> 'key')
        and n.next_at < ${context.now})`,
    which: sql`(m.user_id is null or (j.number, j.slot_key) not in (select l.revision, l.occurrence from ${latest} l))`,
  });
}

/**
 * Reads `rows` (a user, a survey, and a notification or none), with whether the users are members; decides. Returns the
 * users of whom something was refused because it changed meanwhile.
 */
async function settle(context: Settling, { rows, which }: Record<'rows' | 'which', SQL>): Promise<string[]> {
  const { db, now } = context;
  const found = await db
    .select({
      ...reminderColumns(withoutTranslations, sql`'[]'`, sql`${now}`),
      latest: sql<string>`(select json_group_array(${asJson('n')}) from (select * from ${latest} union
        select * from scheduled_notification x where x.user_id = u.id and x.survey_id = s.id
          and x.revision = j.number and x.occurrence = j.slot_key order by revision desc, occurrence desc) n)`.as(
        'latest',
      ),
      translations: sql<string | null>`null`.as('translations'),
    })
    .from(
      sql`${rows} j join user u on u.id = j.user join survey s on s.id = j.survey
        join investigation i on i.id = s.investigation_id
        left join member m on m.investigation_id = i.id and m.user_id = u.id
        left join survey_download d on d.user_id = u.id and d.survey_id = s.id`,
    )
    .where(which);
  if (found.length === 0) return [];
  const decided = toReminders(context, found).map((state) => decide(state, now));
  // Only a delivery pushes.
  const { refused } = await writeChanges(
    context,
    decided.flatMap(({ changes, push }) => (push ? [] : [changes])),
  );
  return refused;
}
