import { and, Column, eq, is, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { users } from '../people/schema.ts';
import { knownTo, requireKnownFilter, selectDeclared } from '../permissions/declared-properties.ts';
import { fits, type PropertyRule } from '../permissions/groups.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import { userWithCode } from '../permissions/member-codes.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { peopleOfResponder } from '../permissions/shown-people.ts';
import { listOf, requireStaff, scopeOf, selectRole, whenMember } from '../permissions/visibility.ts';
import { selectInvitations } from './invitations.ts';
import { listedColumns, selectMembers } from './member-rows.ts';
import { allMembers, members } from './schema.ts';
import { shownMember } from './shown-members.ts';

export interface MemberPage {
  /** Only members of this role, but invitations of all roles. */
  role?: Role | undefined;
  /** Only the member or the invitation with this code; for owners, editors and monitors. */
  code?: string | undefined;
  /** Only members with these properties, and no invitations; for owners, editors and monitors. */
  property?: PropertyRule | undefined;
  /** The last member and the last invitation of the previous page. */
  after?: readonly [string, string] | undefined;
  limit: number;
}

/** Members that a page of a filtered list looks at, at most. */
const maxLooked = 5_000;

/**
 * Members whom the actor sees, by identifier, and, for owners, pending invitations by address; one extra row of each if more
 * remain. One round trip. A filter, and a scope, look at some members at a time: a page may then be short, and `end` is the last member
 * who was looked at, which takes another round trip.
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function listMembers(context: Context, investigation: string, page: MemberPage) {
  const { db, actor } = context;
  const [member, invitation] = page.after ?? ['', ''];
  /** Behind every identifier for those who may not read the list, so that SQLite reads none of it. */
  const behind = (isReader: SQL) => sql`case when ${isReader} then ${member} else 'g' end`;
  const isFiltered = page.property !== undefined;
  const [seesAll, seesPart] = [sql`me.scope is null`, sql`me.scope is not null`].map((scoped) =>
    whenStaff(investigation, actor, scoped),
  ) as [SQL, SQL];
  const isAsked = and(
    page.role && hasRole(page.role),
    page.code === undefined ? undefined : sql`${members.userId} = ${userWithCode(investigation, page.code)}`,
  );
  const selectPage = (isSeen: SQL) =>
    selectMembers(db, investigation)
      .where(and(eq(members.investigationId, investigation), isSeen, isAsked))
      .orderBy(members.userId)
      .limit(page.limit + 1);
  const [[me], all, some, known, invited, [study]] = await db.batch([
    selectRole(db, investigation, actor),
    selectPage(sql`${members.userId} > ${behind(isFiltered ? sql`0` : seesAll)}`),
    selectLooked(db, {
      investigation,
      start: behind(isFiltered ? whenMember(investigation, actor, ...staff) : seesPart),
    })
      .where(and(isAsked, isWanted(actor, scopeOf(investigation, actor), page.property)))
      .limit(page.limit + 1),
    // The `+` keeps SQLite to the few people, whom it would look for among all members.
    selectPage(sql`+${members.userId} > ${behind(whenMember(investigation, actor, 'responder'))}
      and ${members.userId} in ${peopleOfResponder(investigation, actor)}`),
    selectInvitations(context, investigation, {
      after: isFiltered ? behindAll : invitation,
      limit: page.limit + 1,
      code: page.code,
    }),
    selectDeclared(db, investigation),
  ]);
  if (!me) throw notFound('investigation');
  if (page.code !== undefined) requireStaff(me, 'see the codes of members');
  if (isFiltered) requireStaff(me, 'see the properties of members');
  const declared = study?.properties;
  requireKnownFilter(page.property, knownTo(me.role, declared));
  const rows = [...all, ...some, ...known].map((row) => shownMember(row, { me, actor, declared }));
  const isSearched = isFiltered || (me.role !== 'responder' && me.scope !== null);
  const isShort = isSearched && page.code === undefined && rows.length <= page.limit;
  return {
    rows,
    invited,
    end: isShort ? await endOf(context, investigation, { after: member, shown: rows.at(-1)?.id }) : undefined,
  };
}

/** In SQL: the actor is one of the staff, with such a scope, `me.scope`. */
const whenStaff = (investigation: string, actor: string, scoped: SQL) =>
  sql`exists (select 1 from current_member me where me.investigation_id = ${investigation} and me.user_id = ${actor}
    and me.role in ${listOf(staff)} and ${scoped})`;

/** Behind every address. */
const behindAll = '\u{10ffff}';

/** The next members, as many as a page looks at, in the order of their identifiers: reading stops where the page is full. */
const selectLooked = (db: Database, { investigation, start }: { investigation: string; start: SQL }) =>
  db
    .select(ofNoTable(listedColumns(investigation)))
    .from(
      sql`(select x.* from current_member x where x.investigation_id = ${investigation} and x.user_id > ${start}
        order by x.user_id limit ${maxLooked}) "current_member" cross join ${users} on ${users.id} = ${members.userId}`,
    )
    .$dynamic();

/** Columns as drizzle takes them where a text names their tables. */
const ofNoTable = <T extends Record<string, unknown>>(columns: T): T =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      is(column, Column) ? sql`${column}`.mapWith(column).as(`looked_${name}`) : column,
    ]),
  ) as T;

/** In SQL: the actor sees the member, who has the properties. A filter finds nobody by properties that are not shown. */
function isWanted(actor: string, scope: SQL, property: PropertyRule | undefined) {
  const isPart = sql`(${members.userId} = ${actor} or ${fits(scope, members.properties)})`;
  return property === undefined
    ? sql`(${members.role} <> 'responder' or ${isPart})`
    : sql`${isPart} and ${fits(sql`${JSON.stringify(property)}`, members.properties)}`;
}

/**
 * The place of the last member who was looked at for a page that is not full, if others may follow. Unless they are the last of the
 * page, `shown`, their identifier is not told, and the next page looks at them again; only if that would go on nowhere it is.
 */
async function endOf(
  { db }: Context,
  investigation: string,
  { after, shown = '' }: { after: string; shown: string | undefined },
) {
  const [last] = await db
    .select({ id: allMembers.userId })
    .from(allMembers)
    .where(and(eq(allMembers.investigationId, investigation), sql`${allMembers.userId} > ${after}`))
    .orderBy(allMembers.userId)
    .limit(1)
    .offset(maxLooked - 1);
  if (!last) return undefined;
  const hidden = hiddenPlace(last.id);
  const end = last.id === shown || hidden < shown ? shown : hidden;
  return end > after ? end : last.id;
}

/** In SQL: a condition by which SQLite uses the index of owners and editors. */
const hasRole = (role: Role) =>
  and(eq(members.role, role), role === 'responder' ? undefined : sql`${members.role} <> 'responder'`);
