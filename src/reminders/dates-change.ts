import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { comingOf } from './coming.ts';
import { atOnce, same } from './reminder-change.ts';
import { type ReminderRow, toReminders, type UserReminders } from './state.ts';
import { reminders, stateColumns, tablesOfMembers } from './state-rows.ts';

/** The dates, the time and the properties of a member as they would be, as JSON. Absent: as they are. */
export type NewCourse = Partial<Pick<ReminderRow, 'dates' | 'participation' | 'properties'>>;

/** The next occurrences of a person and a survey before and after the change, epoch ms. */
export interface MovedReminders {
  user: string;
  survey: string;
  before: number[];
  after: number[];
}

/** Pairs of people and surveys that one request looks at, if people have no more surveys. */
const maxPairs = 300;

/** The number of people of a slice, in a study with so many surveys that remind. */
export const peopleAtOnce = (reminding: number) => Math.max(1, Math.floor(maxPairs / Math.max(1, reminding)));

/** The reminders of these people that would move, of surveys that the actor sees. One round trip. */
export async function previewDates(
  { db, actor, now, log }: Pick<Context, 'db' | 'actor' | 'now' | 'log'>,
  investigation: string,
  changes: ReadonlyMap<string, NewCourse>,
): Promise<MovedReminders[]> {
  const users = JSON.stringify([...changes.keys()]);
  const rows = await query<ReminderRow>(db, rowsOfUsers, {
    investigation,
    users,
    actor,
    now,
  });
  const moved: MovedReminders[] = [];
  for (let start = 0; start < rows.length; start += atOnce) {
    if (start > 0) await breathe();
    const some = rows.slice(start, start + atOnce);
    const after = toReminders(
      { db, now, log },
      some.map((row) => ({ ...row, ...changes.get(row.user) })),
    );
    for (const [n, state] of toReminders({ db, now, log }, some).entries()) {
      const one = { before: comingOf(state, now), after: comingOf(after[n] as UserReminders, now) };
      if (!same(one.before, one.after)) moved.push({ user: state.user, survey: state.survey, ...one });
    }
  }
  return moved;
}

const rowsOfUsers = sql`select ${stateColumns}, ${reminders} from json_each(:users) x
  cross join member m on m.investigation_id = :investigation and m.user_id = x.value ${tablesOfMembers}
  where s.plain_reminders is not null and (not s.blinded or exists (select 1 from current_member me
    where me.investigation_id = :investigation and me.user_id = :actor and me.role = 'owner'))
  order by u.id, s.id`;
