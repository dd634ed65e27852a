import { sql } from 'drizzle-orm';
import { textOf } from '../db/query.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { maySeePerson, nobody } from '../permissions/shown-people.ts';

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

const isSeen = textOf(
  maySeePerson(sql.raw('a.investigation_id'), sql.raw('a.actor_id'), sql.raw('current_member.user_id')),
);

/** In SQL: the signature of an item's lock, for readers of the activity log who see its author. Needs `asMember`. */
export const lockSignature = (table: Table) =>
  `case when current_member.role <> 'responder' then (select a.signature from activity a indexed by activity_signed
    where ${ofLock(table)} and a.signature is not null and ${isSeen}) end`;

const code = textOf(codeOf(sql.raw('a.investigation_id'), sql.raw('a.actor_id')));

/** In SQL: the {@link LockEntry} of an item as JSON, for readers of the activity log. Needs `asMember`. */
export const lockEntry = (table: Table) =>
  `case when current_member.role <> 'responder' then (
    select json_object('activity', a.id, 'actor', iif(${isSeen}, a.actor_id, '${nobody}'),
      'actorName', iif(${isSeen}, locker.name, null), 'code', iif(${isSeen}, ${code}, null), 'reason', a.reason)
    from activity a left join user locker on locker.id = a.actor_id where ${ofLock(table)}) end`;

/** Bytes of a lock's entry in a list. */
export const lockBytes = 3_000;
