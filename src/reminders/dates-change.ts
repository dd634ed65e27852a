import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import type { Role } from '../permissions/roles.ts';
import { dayMs } from '../schedule/days.ts';
import { type Occurrence, occurrences } from '../schedule/occurrences.ts';
import { atOnce, compared, same } from './compared.ts';
import { type ReminderRow, toReminders, type UserReminders } from './state.ts';
import { reminders, stateColumns, tablesOfMembers } from './state-rows.ts';

/** The dates, the time and the properties of a member as they would be, as JSON. */
export type NewCourse = Pick<ReminderRow, 'dates' | 'participation'> & { properties: string | null };

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

/** The reminders of these people that would move, of the surveys that members of the role see. One round trip. */
export async function previewDates(
  { db, now, log }: Pick<Context, 'db' | 'now' | 'log'>,
  { investigation, role }: { investigation: string; role: Role },
  changes: ReadonlyMap<string, NewCourse>,
): Promise<MovedReminders[]> {
  const users = JSON.stringify([...changes.keys()]);
  const rows = await query<ReminderRow>(db, rowsOfUsers, { investigation, users, role, now });
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
  where s.plain_reminders is not null and (:role = 'owner' or not s.blinded) order by u.id, s.id`;

/** Reminders that come more often than this have come within it. */
const lately = 2 * dayMs;

/** The next occurrences (epoch ms), after the newest one that is due and has not expired: it is pushed at once. */
export function comingOf(state: UserReminders, now: number): number[] {
  const open = now - state.expiresAfter * 60_000;
  const recent = comingAfter(state, Math.max(open, now - lately), now);
  const isComplete = open >= now - lately || (recent[0] !== undefined && recent[0] <= now);
  return (isComplete ? recent : comingAfter(state, open, now)).slice(0, compared);
}

/** In order: the last one that is due by now, if any, and the next ones. */
function comingAfter(state: UserReminders, from: number, now: number): number[] {
  let due: Occurrence | undefined;
  const found: number[] = [];
  for (const occurrence of occurrences(state, from)) {
    if (occurrence.dueAt <= now) due = occurrence;
    else if (found.push(occurrence.dueAt) === compared) break;
  }
  return due ? [due.dueAt, ...found] : found;
}
