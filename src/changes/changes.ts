import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { forbidden, invalidParameter } from '../errors.ts';
import { isOfMember, memberOfEntry } from '../log/schema.ts';
import { blindedNames, fits } from '../permissions/groups.ts';
import { pageBytes } from '../permissions/limits.ts';
import { maySeePerson } from '../permissions/shown-people.ts';
import { type Me, requireStaff } from '../permissions/visibility.ts';
import { type Bodies, bodyOfPage, bytesOfChange } from './bodies.ts';
import type { ChangeState } from './schema.ts';

export interface ChangePage {
  /** `next` of the reader's last page; 0 for a new copy. */
  after: number;
  limit: number;
  /** Each change has the thing as its list reads it. */
  withBody: boolean;
}

/** The latest change of a thing. */
export type Change = {
  [K in keyof Bodies]: {
    sequence: number;
    kind: K;
    identifier: string;
    state: ChangeState;
    at: number;
    revisionId: string | null;
    /** Null for a thing that is deleted or removed. */
    body: Bodies[K] | null;
  };
}[keyof Bodies];

/** The sequence of a study's latest change, as its reader has it; for those who read the feed. @throws resource.not-found, action.forbidden */
export async function readLatest(context: Context, investigation: string): Promise<number> {
  const [row] = await selectLatest(context, investigation);
  requireReader(row);
  return placesOf(row).shown(row.latest);
}

/**
 * The changes of a study after a sequence, as many as fit `pageBytes`, at most `limit`; for owners, editors and monitors. Those who
 * see a part of the study get the changes in it: so many are looked at, and `next` is behind them. One round trip.
 * @throws resource.not-found, action.forbidden, request.invalid for a sequence that the study has not reached, or from before a change of
 * the reader's part
 */
export async function listChanges(
  context: Context,
  investigation: string,
  { after, limit, withBody }: ChangePage,
) {
  const { db, actor } = context;
  const values = { investigation, actor, after, afterInPart: after % partUnit, limit };
  const [[found], all, part] = await db.batch([
    selectLatest(context, investigation),
    query<Change>(db, withBody ? pageWithBodies : page, values, { body: JSON.parse }),
    query<Change & { isEnd: number }>(db, withBody ? partWithBodies : partOfPage, values, {
      body: JSON.parse,
    }),
  ]);
  requireReader(found);
  const { latest } = found;
  const places = placesOf(found);
  const plain = places.plain(after);
  const end = part.at(-1);
  const changes: Change[] = [...all, ...(end?.isEnd ? part.slice(0, -1) : part)];
  const next = (end ?? changes.at(-1))?.sequence ?? plain;
  return {
    changes,
    next: places.shown(next),
    latest: places.shown(latest),
    /** The changes between which the page is, by their sequences. */
    read: { after: plain, latest },
  };
}

interface Latest extends Me {
  latest: number;
  /** Of somebody who sees a part: the sequence at which a copy of it had to begin again last. */
  regrouped: number;
  /** 1: the study has a property that only owners see. */
  isBlinded: number;
}

/** In SQL: the study declares a blinded property, as it does if it has a survey for one. */
const hasBlinded = `exists (${textOf(blindedNames(named('investigation')))})`;

const selectLatest = ({ db, actor }: Context, investigation: string) =>
  query<Latest>(
    db,
    `select role, scope, (select coalesce(max(sequence), 0) from change where investigation_id = :investigation) as latest,
        case when scope is null then 0 else (select i.regrouped from investigation i where i.id = :investigation) end as regrouped,
        case when role = 'owner' then 0 else ${hasBlinded} end as isBlinded
      from current_member where investigation_id = :investigation and user_id = :actor`,
    { investigation, actor },
    { scope: JSON.parse },
  );

/** @throws resource.not-found, action.forbidden */
function requireReader(reader: Latest | undefined): asserts reader is Latest {
  requireStaff(reader, 'read the changes of a study');
  if (reader.isBlinded)
    throw forbidden(
      'Only owners read the changes of a study with a blinded property: their order, and gaps in their numbers, would tell its arms apart.',
    );
}

/**
 * The feed of a part has places of its own, whose upper bits are those of the last change of the part: a copy from before it, which
 * may have what has left the part, does not fit any more. They are ordered as sequences are.
 */
const partUnit = 2 ** 30;
const parts = 2 ** 23;

/** The places of a reader: sequences, or those of the reader's part of the study. */
function placesOf({ scope, regrouped, latest }: Latest) {
  const offset = scope === null ? 0 : (regrouped % parts) * partUnit;
  return {
    shown: (sequence: number) => sequence + offset,
    /** @throws request.invalid */
    plain(after: number): number {
      if (after === 0) return 0;
      if (scope !== null && after - (after % partUnit) !== offset)
        throw invalidParameter(
          'after',
          'The part of the study that you see has changed, and your copy is of the former one: begin again with 0.',
        );
      if (after - offset > latest)
        throw invalidParameter(
          'after',
          `Expected at most ${latest + offset}, the latest sequence of the study. Your copy is of other data: begin again with 0.`,
        );
      return after - offset;
    },
  };
}

const columns =
  'page.sequence, page.kind, page.identifier, page.state, page.at, page.revision_id as revisionId';

/** In SQL: the membership of a reader of all, or of a part. */
const asReader = (
  member: string,
) => `${member}.investigation_id = :investigation and ${member}.user_id = :actor
  and ${member}.role <> 'responder' and (${member}.role = 'owner' or not ${hasBlinded})`;
const readsAll = (member: string) => `${asReader(member)} and ${member}.scope is null`;
const readsPart = (member: string) => `${asReader(member)} and ${member}.scope is not null`;

const page = `select ${columns}, null as body from (
    select change.* from current_member join change on change.investigation_id = :investigation and change.sequence > :after
    where ${readsAll('current_member')} order by sequence limit :limit) page
  order by sequence`;

const joined =
  'join current_member on current_member.investigation_id = :investigation and current_member.user_id = :actor';
const bodyFor = (seesAll: boolean) =>
  `iif(page.state in ('deleted', 'removed'), null, ${bodyOfPage(seesAll)}) as body`;

const pageWithBodies = `select ${columns}, ${bodyFor(true)}
  from (select change.*, sum(${bytesOfChange}) over (order by change.sequence) as total,
      row_number() over (order by change.sequence) as number from change
      where change.investigation_id = :investigation and change.sequence > :after
      and exists (select 1 from current_member me where ${readsAll('me')})
      order by change.sequence limit :limit) page
  ${joined}
  where page.total <= ${pageBytes} or page.number = 1 order by page.sequence`;

/** Changes that one page of a part looks at. */
const maxLooked = 5_000;

const looked = `select * from change where investigation_id = :investigation and sequence > :afterInPart order by sequence
  limit (case when exists (select 1 from current_member me where ${readsPart('me')}) then ${maxLooked} else 0 end)`;

const isInPart = (properties: string) => textOf(fits(sql.raw('me.scope'), sql.raw(properties)));

/**
 * In SQL: the thing of the row `change` is in the reader's part `me.scope`. The row has the properties of somebody who has left, or of
 * an item that is purged. Staff are in every part, also as they leave.
 */
const isOfPart = `(change.properties is not null and ${isInPart('change.properties')} or case change.kind
  when 'case' then exists (select 1 from study_case c where c.id = change.identifier and ${isInPart('c.properties')})
  when 'response' then exists (select 1 from response r join study_case c on c.id = r.case_id
    where r.id = change.identifier and ${isInPart('c.properties')})
  when 'member' then change.identifier = :actor or iif(change.state = 'removed',
    (select a.details ->> '$.before.role' from activity a indexed by activity_of_member
      where a.investigation_id = :investigation and ${memberOfEntry} = +change.identifier and ${isOfMember}
      order by a.position desc limit 1) <> 'responder',
    exists (select 1 from current_member m where m.investigation_id = :investigation and m.user_id = change.identifier
      and (m.role <> 'responder' or ${isInPart('m.properties')})))
  else 1 end)`;

/** In SQL: the rows of a page of a part; behind fewer than `limit` the last one that was looked at, with `isEnd`. */
const partRows = `select * from (select change.sequence, change.kind, change.identifier, change.state, change.at,
    change.revision_id, change.investigation_id, 0 as isEnd
    from (${looked}) change cross join current_member me
    where me.investigation_id = :investigation and me.user_id = :actor and ${isOfPart} limit :limit)
  union all select * from (select max(sequence) as sequence, null, null, null, null, null, null, 1 from (${looked}))
    where sequence is not null
  limit :limit`;

const partOfPage = `select ${columns}, page.isEnd, null as body from (${partRows}) page order by page.sequence, page.isEnd`;

/** In SQL: the person of the row `change`, who made the case, or gave the response. */
const person = `case change.kind when 'case' then (select c.creator_id from study_case c where c.id = change.identifier)
  when 'response' then (select r.responder_id from response r where r.id = change.identifier) end`;

/** In SQL: the author of a signed lock of the row `change`. */
const locker = `case change.kind when 'case' then (${lockerOf('study_case')}) when 'response' then (${lockerOf('response')}) end`;

function lockerOf(table: 'study_case' | 'response') {
  return `select a.actor_id from ${table} i join activity a indexed by activity_signed
    on a.investigation_id = i.investigation_id and a.position = i.locked_in and a.signature is not null
    where i.id = change.identifier`;
}

const isSeen = (person: string) =>
  textOf(maySeePerson(named('investigation'), sql.raw(person), named('actor')));

const partWithBodies = `select ${columns}, page.isEnd, ${bodyFor(false)}
  from (select measured.*, ${isSeen('measured.person')} as isSeen,
      measured.locker is not null and ${isSeen('measured.locker')} as isLockerSeen from (
      select change.*, ${person} as person, ${locker} as locker,
        sum(${bytesOfChange}) over (order by change.sequence, change.isEnd) as total,
        row_number() over (order by change.sequence, change.isEnd) as number from (${partRows}) change) measured
    ${joined}
    where measured.total <= ${pageBytes} or measured.number = 1) page
  ${joined} order by page.sequence, page.isEnd`;
