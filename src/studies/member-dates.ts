import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { oneOf } from '../db/json.ts';
import { Problem } from '../errors.ts';
import { longDetailsBytes } from '../log/activities.ts';
import { logged, type RowsOf } from '../log/logged.ts';
import { frozenProblem } from '../permissions/frozen-groups.ts';
import { grow } from '../permissions/growth.ts';
import { isWithin } from '../permissions/own-properties.ts';
import { editors, type Role } from '../permissions/roles.ts';
import { requireEditor, selectRole, whenMember } from '../permissions/visibility.ts';
import { peopleAtOnce, previewDates as readMoved } from '../reminders/dates-change.ts';
import {
  type CourseChange,
  type CoursePatch,
  type OwnCourse,
  patched,
  patchOf,
  regroupedBy,
  selectCourse,
  writePatches,
} from './course-patches.ts';
import { noCourse } from './dates.ts';
import { isMoveRefused } from './regrouping.ts';
import { memberCodes, members } from './schema.ts';

/** A member, by identifier or by code, and the change. */
export type NamedChange = CourseChange &
  ({ user: string; code?: undefined } | { code: string; user?: undefined });

interface Found extends OwnCourse {
  id: string;
  role: Role;
  code: string | null;
}

/** The members that are named; for owners and editors. */
const selectNamed = ({ db, actor }: Context, investigation: string, changes: readonly NamedChange[]) => {
  const some = (names: (string | undefined)[]) => names.filter((name) => name !== undefined);
  const [users, codes] = [some(changes.map(({ user }) => user)), some(changes.map(({ code }) => code))];
  const columns = {
    id: sql<string>`${members.userId}`.as('named_user'),
    role: members.role,
    code: sql<string | null>`${memberCodes.code}`.as('named_code'),
    dates: members.dates,
    participation: members.participation,
    properties: members.properties,
  };
  const isAsked = whenMember(investigation, actor, ...editors);
  const byUser = db
    .select({ ...columns, code: sql<string | null>`null`.as('named_code') })
    .from(members)
    .where(
      sql`${members.investigationId} = ${investigation} and ${oneOf(members.userId, users)} and ${isAsked}`,
    );
  const byCode = db
    .select(columns)
    .from(memberCodes)
    .innerJoin(
      members,
      sql`${members.investigationId} = ${investigation} and ${members.userId} = ${memberCodes.userId}`,
    )
    .where(
      sql`${memberCodes.investigationId} = ${investigation} and ${oneOf(memberCodes.code, codes)} and ${isAsked}`,
    );
  return [byUser, byCode] as const;
};

/** The state that decides a change of dates. @throws resource.not-found, action.forbidden, request.invalid */
export const selectChanged = (context: Context, investigation: string, changes: readonly NamedChange[]) =>
  [
    selectRole(context.db, investigation, context.actor),
    selectCourse(context, investigation),
    ...selectNamed(context, investigation, changes),
  ] as const;

type Rows = RowsOf<ReturnType<typeof selectChanged>>;

/** The changes of the rows that {@link selectChanged} finds, in the order of identifiers: all of them, or an error. */
export function patchesOf(
  [[me], [study], byUser, byCode]: Rows,
  changes: readonly NamedChange[],
  now: number,
): { patches: CoursePatch[]; people: Map<string, OwnCourse>; reminding: number; shown: number; role: Role } {
  requireEditor(me, 'change the dates of members');
  const isSeen = ({ properties }: Found) => isWithin(me.scope, properties);
  const named = new Map(byUser.filter(isSeen).map((row) => [row.id, row]));
  const coded = new Map(byCode.filter(isSeen).map((row) => [row.code, row]));
  const found = changes.map(({ user, code }) => (user === undefined ? coded.get(code) : named.get(user)));
  const missing = found.flatMap((row, n) =>
    row
      ? []
      : [
          {
            pointer: `/members/${n}/${changes[n]?.user === undefined ? 'code' : 'user'}`,
            detail: 'Expected a member of this study.',
          },
        ],
  );
  if (missing[0])
    throw new Problem(
      'items.not-found',
      'Some of these people are no members of this study: nothing was changed.',
      {
        errors: missing,
      },
    );
  const seen = new Set<string>();
  const course = study?.course ?? noCourse;
  const patches = changes.flatMap((change, n) => {
    const row = found[n] as Found;
    if (seen.has(row.id))
      throw new Problem('request.invalid', 'Expected each person once.', {
        errors: [{ pointer: `/members/${n}`, detail: 'Expected each person once.' }],
      });
    seen.add(row.id);
    return patchOf(row, change, { course, me, now, pointer: `/members/${n}` }) ?? [];
  });
  return {
    patches: patches.sort((a, b) => (a.user < b.user ? -1 : 1)),
    people: new Map(found.map((row) => [(row as Found).id, row as Found])),
    reminding: study?.reminding ?? 0,
    shown: (study?.reminding ?? 0) - (me.role === 'owner' ? 0 : (study?.blinded ?? 0)),
    role: me.role,
  };
}

/**
 * The effect that a change would have, for a slice of the people in the order of their identifiers: `next` is the last of them. It is
 * computed as plans are: what is saved does that. Two round trips, and one more if properties change.
 * @throws resource.not-found, action.forbidden, items.not-found, request.invalid, study.frozen
 */
export async function previewDates(
  context: Context,
  investigation: string,
  changes: readonly NamedChange[],
  after = '',
) {
  const { db, actor, now } = context;
  const rows = await db.batch(selectChanged(context, investigation, changes));
  const { patches, people, shown, role } = patchesOf(rows, changes, now);
  if (await isMoveRefused(db, investigation, regroupedBy(investigation, patches).withCases))
    throw await frozenProblem(db, actor, investigation);
  const rest = patches.filter(({ user }) => user > after);
  // As if there were no surveys that the actor does not see: the length of a slice would count them.
  const some = rest.slice(0, peopleAtOnce(shown));
  const courses = some.map((patch) => {
    const { dates, participation, properties } = patched(people.get(patch.user) ?? noDates, patch);
    return [
      patch.user,
      { dates: textOf(dates), participation: textOf(participation), properties: textOf(properties) },
    ] as const;
  });
  const page = some.length > 0 ? await readMoved(context, { investigation, role }, new Map(courses)) : [];
  const next = rest.length > some.length ? some.at(-1)?.user : undefined;
  return { changed: patches.length, page, next };
}

const noDates: OwnCourse = { dates: null, participation: null, properties: null };
const textOf = (value: object | null) => value && JSON.stringify(value);

/**
 * Changes the dates, times and properties of members, all or nothing, with one entry in the log; for owners and editors. Two round
 * trips. @throws resource.not-found, action.forbidden, items.not-found, request.invalid, study.frozen, limit.reached
 */
export function changeDates(context: Context, investigation: string, changes: readonly NamedChange[]) {
  const { now } = context;
  const read = () => selectChanged(context, investigation, changes);
  return logged(context, investigation, read, async (rows, write) => {
    const { patches, reminding } = patchesOf(rows, changes, now);
    if (patches.length === 0) return { changed: 0 };
    const list = patches.map(({ user, details }) => ({ member: user, ...details }));
    let activity = '';
    const regroups = patches.some(({ properties }) => properties);
    const action = regroups ? 'member.properties-changed' : 'member.dates-changed';
    const details = { members: list };
    await write({ investigation, action, details }, (entry) => {
      activity = entry.id;
      return [
        ...writePatches(context, investigation, patches, { reminding }),
        ...grow(context, investigation, { stored: longDetailsBytes(entry) }),
      ];
    });
    return { changed: patches.length, activity };
  });
}
