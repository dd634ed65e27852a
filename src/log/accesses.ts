import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { requireOwner, selectRole } from '../permissions/visibility.ts';
import { isOfMember, isOfStaff, memberOfEntry } from './schema.ts';

/**
 * Notes that one of the staff made a request about a study today, by UTC: one row for each of them and day. Tells whether
 * the actor is one; of others nothing is written. Two round trips.
 */
export async function recordAccess(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  investigation: string,
): Promise<boolean> {
  const [me] = await selectRole(db, investigation, actor);
  if (!me || me.role === 'responder') return false;
  await query(
    db,
    `insert into access_day (investigation_id, user_id, day, first_at)
      select investigation_id, user_id, :day, :now from current_member
      where investigation_id = :investigation and user_id = :actor and role <> 'responder' on conflict do nothing`,
    { investigation, actor, now, day: dayOf(now) },
  );
  return true;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

export interface AccessFilter {
  /** Days by UTC, both included. */
  from: string;
  to: string;
  limit: number;
  /** The last user of the previous page. */
  after?: string | undefined;
}

/** A role, from an instant to another (epoch ms). Null: from before the entries that are read; until now. */
export interface Held {
  role: Role;
  since: number | null;
  until: number | null;
}

type RoleChange = [at: number, before: Role | null, after: Role | null];
type AccessDay = [day: string, firstAt: number];

interface Row {
  user: string;
  name: string | null;
  code: string | null;
  /** When the user created the study; null: somebody else did. */
  createdAt: number | null;
  changes: RoleChange[];
  days: AccessDay[];
}

/**
 * Everybody who is or was of the staff of a study, by identifier: their roles, by the log, and the days on which they
 * made requests. For owners. One extra person if more follow. One round trip. @throws resource.not-found, action.forbidden
 */
export async function listAccesses(
  { db, actor }: Context,
  investigation: string,
  { from, to, limit, after = '' }: AccessFilter,
) {
  const values = { investigation, actor, from, to, after, most: limit + 1 };
  const [[me], rows] = await db.batch([
    selectRole(db, investigation, actor),
    query<Row>(db, people, values, { changes: JSON.parse, days: JSON.parse }),
  ]);
  requireOwner(me, 'read who had access');
  return rows.map(({ changes, createdAt, ...row }) => ({ ...row, roles: rolesOf(changes, createdAt) }));
}

export type Access = Awaited<ReturnType<typeof listAccesses>>[number];

/** Roles by the log's entries, oldest first; the first entry of a study's creator comes after their first role. */
function rolesOf(changes: readonly RoleChange[], createdAt: number | null): Held[] {
  const held: Held[] = createdAt === null ? [] : [{ role: 'owner', since: createdAt, until: null }];
  for (const [at, before, after] of changes.toSorted(([a], [b]) => a - b)) {
    const last = held.at(-1);
    if (last?.until === null) last.until = at;
    else if (before) held.push({ role: before, since: null, until: at });
    if (after) held.push({ role: after, since: at, until: null });
  }
  return held;
}

/** Entries of a person's memberships that are read: the newest. */
const maxEntries = 200;

const of = (role: Role, user: string) => `select min(user_id) as id from current_member
  where investigation_id = :investigation and role = '${role}' and role <> 'responder' and user_id > ${user}`;

/** In SQL: the first of the staff behind a user, of the present or by the log. */
const next = (user: string) => `(select min(id) from (
  ${staff.map((role) => of(role, user)).join(' union all ')} union all
  select min(${memberOfEntry}) as id from activity indexed by activity_of_staff
  where investigation_id = :investigation and ${isOfStaff} and ${memberOfEntry} > ${user}))`;

const people = `with recursive person(id, n) as (
    select ${next(':after')}, 1
      from current_member where investigation_id = :investigation and user_id = :actor and role = 'owner'
    union all select ${next('person.id')}, n + 1 from person where id is not null and n < :most)
  select person.id as user, (select u.name from user u where u.id = person.id) as name,
    ${textOf(codeOf(named('investigation'), sql.raw('person.id')))} as code,
    (select i.created_at from investigation i where i.id = :investigation and i.creator_id = person.id) as createdAt,
    (select json_group_array(json_array(at, details ->> '$.before.role', details ->> '$.after.role')) from (
      select at, details from activity indexed by activity_of_member where ${memberOfEntry} = person.id and investigation_id = :investigation
        and ${isOfMember} order by position desc limit ${maxEntries})
      where details -> '$.after.role' is not null or details -> '$.before.role' is not null) as changes,
    (select json_group_array(json_array(day, first_at)) from (
      select day, first_at from access_day where investigation_id = :investigation and user_id = person.id
        and day between :from and :to order by day)) as days
  from person where person.id is not null`;
