import canonicalize from 'canonicalize';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each, oneOf } from '../db/json.ts';
import type { Change } from '../log/details.ts';
import { knownTo, requireKnown, requireOwnScope } from '../permissions/declared-properties.ts';
import type { OwnProperties } from '../permissions/groups.ts';
import { noteMembers } from '../permissions/noted-changes.ts';
import { nullIfEmpty, valuesOf } from '../permissions/own-properties.ts';
import type { Me } from '../permissions/visibility.ts';
import { maxPairs, wakePairs, wakeStudy } from '../reminders/wake.ts';
import { namesIn, requireDeclared } from './dates.ts';
import { moveCases, noteRegrouped } from './regrouping.ts';
import { allMembers, type Course, investigations, type OwnDates, type OwnParticipation } from './schema.ts';

/** A member's dates, time and properties in a study, as they are stored. */
export interface OwnCourse {
  dates: OwnDates | null;
  participation: OwnParticipation | null;
  properties: OwnProperties | null;
}

/**
 * The new dates and properties by name, null takes one away; and the whole new time, null is that of the study.
 */
export interface CourseChange {
  dates?: Record<string, string | null> | undefined;
  participation?: Omit<OwnParticipation, 'at'> | null | undefined;
  properties?: Record<string, string | null> | undefined;
}

/** The change of one member. */
export interface CoursePatch {
  user: string;
  /** A merge patch of the stored dates. */
  dates: Record<string, OwnDates[string] | null>;
  /** Absent: it stays. */
  participation?: OwnParticipation;
  /** Absent: they stay. */
  properties?: { before: OwnProperties | null; after: OwnProperties | null };
  /** Cases follow the properties of the participant who made them, and not those of staff. */
  movesCases: boolean;
  details: Change;
}

/** The bounds alone; null: there are none. */
const shownTime = (participation: OwnParticipation | null) => {
  const { at: _, ...own } = participation ?? { at: 0 };
  return Object.keys(own).length > 0 ? own : null;
};

/** The study of a change, the actor, and the place of the change in the request, for errors. */
interface Changing {
  course: Course;
  me: Me;
  now: number;
  pointer?: string;
}

/**
 * The change of a member, from their present dates, time and properties; undefined if nothing changes. Dates that the study no longer
 * declares go. @throws request.invalid for a name that the study does not declare, action.forbidden for a property of the actor's scope
 */
export function patchOf(
  { id: user, role, ...before }: OwnCourse & { id: string; role: Me['role'] },
  { dates = {}, participation, properties }: CourseChange,
  { course, me, now, pointer = '' }: Changing,
): CoursePatch | undefined {
  const declared = course.dates;
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
  const regrouped = changedProperties(before.properties, properties, { course, me, now, pointer });
  if (moved.length === 0 && !changesTime && !regrouped) return undefined;
  const gone = Object.keys(known).filter((name) => !declared.includes(name));
  return {
    user,
    dates: Object.fromEntries([
      ...moved.map(([name, date]) => [name, [date, now, now]]),
      ...gone.map((name) => [name, null]),
    ]),
    // Without bounds it is still known when they were taken away.
    ...(changesTime && { participation: { ...participation, at: now } }),
    ...(regrouped && { properties: regrouped.stored }),
    movesCases: role === 'responder',
    details: {
      before: {
        ...(moved.length > 0 && { dates: Object.fromEntries(moved.map(([name]) => [name, dateOf(name)])) }),
        ...(changesTime && { participation: time }),
        ...(regrouped && { properties: regrouped.before }),
      },
      after: {
        ...(moved.length > 0 && { dates: Object.fromEntries(moved) }),
        ...(changesTime && { participation }),
        ...(regrouped && { properties: regrouped.after }),
      },
    },
  };
}

/** The properties that change, as the log tells them, and all of them as they are then stored; undefined if none does. */
function changedProperties(
  own: OwnProperties | null,
  given: CourseChange['properties'],
  { course, me, now, pointer }: Changing,
) {
  if (given === undefined) return undefined;
  requireKnown(given, knownTo(me.role, course.properties), `${pointer}/properties`);
  const values = valuesOf(own);
  const after = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => (values[name] ?? null) !== value),
  );
  const names = Object.keys(after);
  if (names.length === 0) return undefined;
  requireOwnScope(me.scope, after);
  const kept = Object.entries(own ?? {}).filter(([name]) => !(name in after));
  const added = Object.entries(after).flatMap(([name, value]): [string, OwnProperties[string]][] =>
    value === null ? [] : [[name, [value, now]]],
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
    after,
    stored: {
      before: own,
      after: nullIfEmpty(Object.fromEntries([...kept, ...added])),
    },
  };
}

/** A member's dates, time and properties once the change is made. */
export function patched(before: OwnCourse, patch: CoursePatch | undefined): OwnCourse {
  const { dates, participation, properties } = before;
  if (!patch) return { dates, participation, properties };
  const known = Object.entries({ ...dates, ...patch.dates }).filter(([, date]) => date !== null);
  return {
    dates: known.length > 0 ? (Object.fromEntries(known) as OwnDates) : null,
    participation: patch.participation ?? participation,
    properties: patch.properties ? patch.properties.after : properties,
  };
}

/** The statements of changes: members and their cases, the feed, and the plans that depend on them. */
export function writePatches(
  context: Context,
  investigation: string,
  patches: readonly CoursePatch[],
  { reminding }: { reminding: number },
) {
  const { db } = context;
  const rows = each(
    patches.map(({ user, dates, participation, properties }) => ({
      user,
      dates,
      participation,
      ...(properties && { properties: properties.after ? JSON.stringify(properties.after) : '' }),
    })),
  );
  const users = patches.map(({ user }) => user);
  const update = db
    .update(allMembers)
    .set({
      dates: sql`nullif(json_patch(coalesce(${allMembers.dates}, '{}'), p.value -> 'dates'), '{}')`,
      participation: sql`coalesce(p.value -> 'participation', ${allMembers.participation})`,
      properties: sql`nullif(coalesce(p.value ->> 'properties', ${allMembers.properties}), '')`,
    })
    .from(sql`${rows} p`)
    .where(
      sql`${allMembers.investigationId} = ${investigation} and ${allMembers.userId} = p.value ->> 'user'`,
    );
  const { regrouped, withCases } = regroupedBy(investigation, patches);
  return [
    update,
    noteMembers(db, investigation, users),
    ...moveCases(db, withCases),
    ...noteRegrouped(db, regrouped),
    ...wakeSome(context, { investigation, users, reminding }),
  ] as const;
}

/** The people whose properties change, and those of them whose cases follow. */
export function regroupedBy(investigation: string, patches: readonly CoursePatch[]) {
  const regrouped = patches.flatMap(({ user, properties, movesCases }) =>
    properties ? [{ investigation, user, movesCases, ...properties }] : [],
  );
  return { regrouped, withCases: regrouped.filter(({ movesCases }) => movesCases) };
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

/** One row: the dates and properties that a study declares, and the number of its surveys with reminders, and of those that all staff see. */
export const selectCourse = ({ db }: Pick<Context, 'db'>, investigation: string) =>
  db
    .select({
      course: investigations.course,
      reminding: sql<number>`(select count(*) from survey s where s.investigation_id = ${investigation}
        and s.plain_reminders is not null)`.as('reminding'),
      blinded: sql<number>`(select count(*) from survey s indexed by survey_blinded_in
        where s.investigation_id = ${investigation} and s.blinded and s.plain_reminders is not null)`.as(
        'blinded',
      ),
    })
    .from(investigations)
    .where(sql`${investigations.id} = ${investigation}`);
