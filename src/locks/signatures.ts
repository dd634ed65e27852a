import { sql } from 'drizzle-orm';
import { named, textOf } from '../db/query.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { maySeePerson, shownPerson } from '../permissions/shown-people.ts';

/** The author and the reason of an item's lock, as the activity log has them. */
export interface LockEntry {
  activity: string;
  actor: string;
  actorName: string | null;
  code: string | null;
  reason: string | null;
}

type Table = 'study_case' | 'response';

const ofLock = (table: Table) =>
  `a.investigation_id = ${table}.investigation_id and a.position = ${table}.locked_in`;

const locker = [sql.raw('a.investigation_id'), sql.raw('a.actor_id'), named('actor')] as const;
const maySeeLocker = textOf(maySeePerson(...locker));

/**
 * In SQL: the signature of an item's lock, for readers of the activity log who see its author. Needs `asMember`.
 * @param isSeen in SQL: the reader sees the author, where that is known
 */
export const lockSignature = (table: Table, isSeen = maySeeLocker) =>
  `case when current_member.role <> 'responder' then (select a.signature from activity a indexed by activity_signed
    where ${ofLock(table)} and a.signature is not null and ${isSeen}) end`;

const code = textOf(codeOf(sql.raw('a.investigation_id'), sql.raw('locker.id')));

/** In SQL: the {@link LockEntry} of an item as JSON, for readers of the activity log. Needs `asMember`. */
export const lockEntry = (table: Table) =>
  `case when current_member.role <> 'responder' then (
    select json_object('activity', a.id, 'actor', ${textOf(shownPerson(...locker))}, 'actorName', locker.name, 'code', ${code}, 'reason', a.reason)
    from activity a left join user locker on locker.id = a.actor_id and ${maySeeLocker} where ${ofLock(table)}) end`;

/** Bytes of a lock's entry in a list. */
export const lockBytes = 3_000;
