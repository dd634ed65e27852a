import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { dayMs } from '../schedule/days.ts';
import { writtenDay } from '../studies/schema.ts';

/** The change that a write makes to the counts of a study: negative for what it takes off. */
export interface Growth {
  /** Bytes of what is there. */
  stored?: number;
  /** Bytes of what is deleted, until it is purged. */
  deleted?: number;
  cases?: number;
  /** Bytes of a response's content. */
  response?: number;
  /** Bytes of the actor's day, if they are a participant. */
  written?: number;
}

/** A row that has this revision if the write took place, of statements that may change nothing. */
interface Written {
  table: keyof typeof revisions;
  id: string;
  revision: string;
}

const revisions = { study_case: 'revision_id', response: 'revision_id', set_aside: 'created_hash' };

const isParticipant = `exists (select 1 from member sharer
  where sharer.investigation_id = :investigation and sharer.user_id = :actor and sharer.role = 'responder')`;
const ofDay = `iif(written / ${writtenDay} = :day, written, :day * ${writtenDay}) + :written`;

/** Statements that count a write, in its batch and behind it. No row is written that stays as it is. */
export function grow(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  investigation: string,
  { stored = 0, deleted = 0, cases = 0, response = 0, written = 0 }: Growth,
  row?: Written,
) {
  const isWritten = row
    ? `exists (select 1 from ${row.table} where id = :id and ${revisions[row.table]} = :revision)`
    : '1';
  const ofStudy = [stored, deleted, cases, response].some((count) => count !== 0);
  const study = `update investigation set stored_bytes = stored_bytes + :stored,
    deleted_bytes = deleted_bytes + :deleted, case_count = case_count + :cases,
    largest_response = max(largest_response, :response)
    ${written > 0 ? `, written = iif(${isParticipant}, ${ofDay}, written)` : ''}
    where id = :investigation and ${ofStudy ? '1' : isParticipant} and ${isWritten}`;
  const member = `update member set written = ${ofDay}
    where investigation_id = :investigation and user_id = :actor and role = 'responder' and ${isWritten}`;
  const day = Math.floor(now / dayMs);
  const values = { investigation, actor, day, stored, deleted, cases, response, written, ...row };
  return [
    ...(ofStudy || written > 0 ? [query(db, study, values)] : []),
    ...(written > 0 ? [query(db, member, values)] : []),
  ];
}
