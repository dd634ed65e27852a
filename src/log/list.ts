import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { cases, responses } from '../items/schema.ts';
import { users } from '../people/schema.ts';
import { blindedNames, declaredNames } from '../permissions/groups.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { staff } from '../permissions/roles.ts';
import { maySeePerson, nobody } from '../permissions/shown-people.ts';
import { mayViewCase, mayViewResponse, selectRole, whenMember } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { type Action, headOf, selectHead } from './activities.ts';
import type { Entry, Head } from './chain.ts';
import { characters, pageCharacters } from './pages.ts';
import { selectReviewed } from './reviewed.ts';
import { activities, memberOfEntry } from './schema.ts';
import { shownTo } from './shown-entries.ts';
import { requireReader, selectSight } from './sight.ts';

export interface ActivityFilter {
  limit: number;
  /** Entries below this position. */
  before?: number | undefined;
  action?: Action | undefined;
  item?: string | undefined;
  /** Only acts of the person with this code, and changes of their membership. */
  code?: string | undefined;
}

/** An entry with more characters than this is read only if the page has room for it. */
const shortCharacters = 1_000;

/** Entries that a page of a filtered list looks at; it may find fewer than requested, or none. */
const filteredEntries = 1_000;

export type ListedActivity = Awaited<ReturnType<typeof listActivities>>['rows'][number];

/**
 * Newest first, for owners, editors and monitors; `next` is the `before` of the following page. A page is bounded by rows and
 * characters, and by the entries that its filter looks at. One round trip, another for long entries, and another for readers
 * who see a part of the study.
 * @throws resource.not-found, action.forbidden
 */
export async function listActivities({ db, actor }: Context, investigation: string, filter: ActivityFilter) {
  const isFiltered = filter.action !== undefined || filter.item !== undefined || filter.code !== undefined;
  const [[sight], newest, [reviewed], found] = await db.batch([
    selectSight(db, investigation, actor),
    selectHead(db, investigation),
    selectReviewed(db, investigation),
    selectPage(db, { investigation, actor, ...filter }, isFiltered),
  ]);
  requireReader(sight);

  const rows = fitting(found.slice(0, filter.limit));
  const last = rows.at(-1);
  const start = Math.min(filter.before ?? Number.MAX_SAFE_INTEGER, headOf(newest).position + 1);
  const end = isFiltered ? start - filteredEntries : 1;
  const next = last && rows.length < found.length ? last.position : end;
  const read = await withContent(db, investigation, rows);
  const shown = await shownTo(db, investigation, sight, read);
  return {
    rows: shown.map(({ actorCode: _, memberId: __, memberCode: ___, ...row }) => row),
    codes: codesIn(shown),
    reviewed,
    next: next > 1 ? next : undefined,
  };
}

/** Codes by user, beside the entries: a code may be changed or removed, an entry may not. */
function codesIn(
  rows: (Pick<Awaited<ReturnType<typeof selectPage>>[number], Coded> & Pick<Entry, 'details'>)[],
): Record<string, string> {
  const found = rows.flatMap(({ actorId, actorCode, memberId, memberCode, details }) => [
    [actorId, actorId === nobody ? null : actorCode],
    [memberId, details?.member === memberId ? memberCode : null],
  ]);
  return Object.fromEntries(found.filter(([, code]) => code !== null));
}

type Coded = 'actorId' | 'actorCode' | 'memberId' | 'memberCode';

/** The first rows that fit the page. */
function fitting<T extends { characters: number }>(rows: T[]): T[] {
  let room = pageCharacters;
  return rows.filter((row) => {
    const fits = room > 0;
    room -= row.characters;
    return fits;
  });
}

function selectPage(
  db: Database,
  {
    investigation,
    actor,
    before,
    action,
    item,
    code,
    limit,
  }: ActivityFilter & Record<'investigation' | 'actor', string>,
  isFiltered: boolean,
) {
  const start = sql`min(${before ?? Number.MAX_SAFE_INTEGER},
    (select max(a.position) + 1 from activity a where a.investigation_id = ${investigation}))`;
  // Identifiers are hexadecimal digits, so none is part of another, and finding text is faster than parsing JSON.
  const quoted = `"${item}"`;
  return db
    .select({
      investigationId: activities.investigationId,
      position: activities.position,
      id: sql<string>`${activities.id}`.as('activity_id'),
      at: activities.at,
      actorId: activities.actorId,
      actorName: users.name,
      action: sql<Action>`${activities.action}`.as('activity_action'),
      content: sql<string | null>`iif(${characters} <= ${shortCharacters}, ${content}, null)`.as('content'),
      reason: activities.reason,
      hash: activities.hash,
      characters: characters.as('characters'),
      actorCode: codeOf(investigation, activities.actorId).as('actor_code'),
      memberId: sql<string | null>`${sql.raw(memberOfEntry)}`.as('member_id'),
      memberCode: codeOf(investigation, sql.raw(memberOfEntry)).as('member_code'),
    })
    .from(activities)
    .innerJoin(
      members,
      sql`${members.investigationId} = ${investigation} and ${members.userId} = ${actor} and ${members.role} <> 'responder'`,
    )
    .leftJoin(users, eq(users.id, activities.actorId))
    .where(
      and(
        eq(activities.investigationId, investigation),
        before === undefined ? undefined : lt(activities.position, before),
        isFiltered ? gte(activities.position, sql`${start} - ${filteredEntries}`) : undefined,
        action === undefined ? undefined : eq(activities.action, action),
        code === undefined ? undefined : isOfPerson(investigation, actor, userWithCode(investigation, code)),
        item === undefined
          ? undefined
          : sql`${isSeenItem(investigation, actor, item)} and (instr(${activities.cases}, ${quoted}) or instr(${activities.responses}, ${quoted})
              or (${activities.cases} = '[]' and ${activities.responses} = '[]'
                and ${activities.action} in ('items.locked', 'items.unlocked')
                and (${isAmongItems('cases', item)} or ${isAmongItems('responses', item)})))`,
      ),
    )
    .orderBy(desc(activities.position))
    .limit(limit + 1);
}

/** In SQL: the reader sees all of the study. Needs the reader's membership. */
const seesAll = (investigation: string) =>
  sql`(${members.role} = 'owner' or ${members.scope} is null and not exists (${blindedNames(investigation)}))`;

/** In SQL: the reader sees the item, which may be purged if they see all of the study. Needs the reader's membership. */
const isSeenItem = (investigation: string, actor: string, item: string) =>
  sql`(${seesAll(investigation)}
    or exists (select 1 from ${cases} where ${cases.id} = ${item} and ${mayViewCase(actor)})
    or exists (select 1 from ${responses} where ${responses.id} = ${item} and ${mayViewResponse(actor)}))`;

/**
 * In SQL: the person acts in the entry, or it changes their membership, and the reader is shown so: a filter finds nothing that
 * the entry itself does not show. Needs the reader's membership.
 */
function isOfPerson(investigation: string, actor: string, person: SQL) {
  const member = sql.raw(memberOfEntry);
  const showsItem = sql`(exists (select 1 from json_each(${activities.cases}) j join ${cases} on ${cases.id} = j.value
      where ${mayViewCase(actor)})
    or exists (select 1 from json_each(${activities.responses}) j join ${responses} on ${responses.id} = j.value
      where ${mayViewResponse(actor)}))`;
  const showsActor = sql`(${whenMember(investigation, sql`${activities.actorId}`, ...staff)} or ${member} is not null or ${showsItem})`;
  // A change of properties that the reader does not know of is shown without its person.
  const showsMember = sql`(${activities.action} <> 'member.properties-changed' or exists (
    select 1 from json_each(${activities.details}, '$.after.properties') property
      where property.key in (${declaredNames(investigation)})))`;
  return sql`(${person} = ${activities.actorId} and (${seesAll(investigation)} or ${showsActor})
    or ${person} = ${member} and (${seesAll(investigation)} or ${showsMember}))
    and ${maySeePerson(investigation, person, actor)}`;
}

/** In SQL: the entry stores its items apart, and this item is one of them. */
const isAmongItems = (kind: 'cases' | 'responses', item: string) =>
  sql`(select instr(i.ids, ${`"${item}"`}) from activity_item i
    where i.investigation_id = ${activities.investigationId} and i.position = ${activities.position}
      and i.kind = ${sql.raw(`'${kind}'`)} and i.first <= ${item} order by i.first desc limit 1)`;

/** Columns of JSON that may be long. */
const content = sql<string>`json_object('cases', json(${activities.cases}), 'responses', json(${activities.responses}),
  'details', json(${activities.details}), 'signature', json(${activities.signature}))`;

type Content = Pick<Entry, 'cases' | 'responses' | 'details' | 'signature'>;

/** Reads the contents that the page left out. */
async function withContent<T extends { position: number; content: string | null }>(
  db: Database,
  investigation: string,
  rows: T[],
) {
  const long = rows.filter((row) => row.content === null).map(({ position }) => position);
  const read =
    long.length === 0
      ? []
      : await db
          .select({ position: activities.position, content: content.as('content') })
          .from(activities)
          .where(
            and(
              eq(activities.investigationId, investigation),
              sql`${activities.position} in (select value from json_each(${JSON.stringify(long)}))`,
            ),
          );
  const contents = new Map(read.map((row) => [row.position, row.content]));
  return rows.map(({ content, ...row }) => ({
    ...row,
    ...(JSON.parse(content ?? contents.get(row.position) ?? '') as Content),
  }));
}

/** The newest position and hash, for owners, editors and monitors. @throws resource.not-found, action.forbidden */
export async function readHead({ db, actor }: Context, investigation: string): Promise<Head> {
  const [[me], newest] = await db.batch([
    selectRole(db, investigation, actor),
    selectHead(db, investigation),
  ]);
  requireReader(me);
  return headOf(newest);
}
