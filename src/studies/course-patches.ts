import canonicalize from 'canonicalize';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each, oneOf } from '../db/json.ts';
import type { Change } from '../log/details.ts';
import { noteMembers } from '../permissions/noted-changes.ts';
import { maxPairs, wakePairs, wakeStudy } from '../reminders/wake.ts';
import { namesIn, requireDeclared } from './dates.ts';
import { allMembers, investigations, type OwnDates, type OwnParticipation } from './schema.ts';

/** A member's dates and time in a study, as they are stored. */
export interface OwnCourse {
  dates: OwnDates | null;
  participation: OwnParticipation | null;
}

/** The new dates by name, null takes one away; and the whole new time, null is that of the study. */
export interface CourseChange {
  dates?: Record<string, string | null> | undefined;
  participation?: Omit<OwnParticipation, 'at'> | null | undefined;
}

/** The change of one member. */
export interface CoursePatch {
  user: string;
  /** A merge patch of the stored dates. */
  dates: Record<string, OwnDates[string] | null>;
  /** Absent: it stays. */
  participation?: OwnParticipation;
  details: Change;
}

/** The bounds alone; null: there are none. */
const shownTime = (participation: OwnParticipation | null) => {
  const { at: _, ...own } = participation ?? { at: 0 };
  return Object.keys(own).length > 0 ? own : null;
};

/**
 * The change of a member, from their present dates and time; undefined if nothing changes. Dates that the study no longer declares
 * go. @param pointer to the change, for a name that the study does not declare @throws request.invalid
 */
export function patchOf(
  user: string,
  before: OwnCourse,
  { dates = {}, participation }: CourseChange,
  { declared, now, pointer = '' }: { declared: readonly string[]; now: number; pointer?: string },
): CoursePatch | undefined {
  const known = before.dates ?? {};
  const dateOf = (name: string) => known[name]?.[0] ?? null;
  // A date that is declared no more can still be taken away.
  const isTakenAway = ({ name }: { name: string }) => dates[name] === null && name in known;
  const named = namesIn(dates, `${pointer}/dates`);
  requireDeclared(
    named.filter((one) => !isTakenAway(one)),
    declared,
  );
  const moved = Object.entries(dates).filter(([name, date]) => dateOf(name) !== date);
  const time = shownTime(before.participation);
  const changesTime = participation !== undefined && canonicalize(participation) !== canonicalize(time);
  if (moved.length === 0 && !changesTime) return undefined;
  const gone = Object.keys(known).filter((name) => !declared.includes(name));
  return {
    user,
    dates: Object.fromEntries([
      ...moved.map(([name, date]) => [name, [date, now, now]]),
      ...gone.map((name) => [name, null]),
    ]),
    // Without bounds it is still known when they were taken away.
    ...(changesTime && { participation: { ...participation, at: now } }),
    details: {
      before: {
        ...(moved.length > 0 && { dates: Object.fromEntries(moved.map(([name]) => [name, dateOf(name)])) }),
        ...(changesTime && { participation: time }),
      },
      after: {
        ...(moved.length > 0 && { dates: Object.fromEntries(moved) }),
        ...(changesTime && { participation }),
      },
    },
  };
}

/** A member's dates and time once the change is made. */
export function patched(before: OwnCourse, patch: CoursePatch | undefined): OwnCourse {
  if (!patch) return { dates: before.dates, participation: before.participation };
  const dates = Object.entries({ ...before.dates, ...patch.dates }).filter(([, date]) => date !== null);
  return {
    dates: dates.length > 0 ? (Object.fromEntries(dates) as OwnDates) : null,
    participation: patch.participation ?? before.participation,
  };
}

/** The statements of changes: members, the feed, and the plans that depend on them. */
export function writePatches(
  context: Context,
  investigation: string,
  patches: readonly CoursePatch[],
  { reminding }: { reminding: number },
) {
  const { db } = context;
  const rows = each(patches.map(({ user, dates, participation }) => ({ user, dates, participation })));
  const users = patches.map(({ user }) => user);
  const update = db
    .update(allMembers)
    .set({
      dates: sql`nullif(json_patch(coalesce(${allMembers.dates}, '{}'), p.value -> 'dates'), '{}')`,
      participation: sql`coalesce(p.value -> 'participation', ${allMembers.participation})`,
    })
    .from(sql`${rows} p`)
    .where(
      sql`${allMembers.investigationId} = ${investigation} and ${allMembers.userId} = p.value ->> 'user'`,
    );
  return [
    update,
    noteMembers(db, investigation, users),
    ...wakeSome(context, { investigation, users, reminding }),
  ] as const;
}

/** Everybody of a study, where these are many. */
function wakeSome(
  context: Context,
  { investigation, users, reminding }: { investigation: string; users: readonly string[]; reminding: number },
) {
  if (users.length * reminding > maxPairs) return wakeStudy(context, investigation);
  for (const user of users) context.woken.add(user);
  return [wakePairs(context, pairsOf(investigation, users))] as const;
}

const pairsOf = (investigation: string, users: readonly string[]): SQL =>
  sql`select m.user_id, s.id as survey_id from survey s join member m on m.investigation_id = s.investigation_id
    where s.investigation_id = ${investigation} and s.plain_reminders is not null and ${oneOf(sql`m.user_id`, users)}`;

/** One row: the dates that a study declares, and the number of its surveys with reminders. */
export const selectCourse = ({ db }: Pick<Context, 'db'>, investigation: string) =>
  db
    .select({
      course: investigations.course,
      reminding: sql<number>`(select count(*) from survey s where s.investigation_id = ${investigation}
        and s.plain_reminders is not null)`.as('reminding'),
    })
    .from(investigations)
    .where(sql`${investigations.id} = ${investigation}`);
