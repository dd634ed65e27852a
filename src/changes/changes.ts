import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { invalidParameter } from '../errors.ts';
import { pageBytes } from '../permissions/limits.ts';
import type { Role } from '../permissions/roles.ts';
import { requireStaff } from '../permissions/visibility.ts';
import { type Bodies, bodyOfPage, bytesOfChange } from './bodies.ts';
import type { ChangeState } from './schema.ts';

export interface ChangePage {
  /** The sequence of the last change that the reader has; 0 for a new copy. */
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

/** The sequence of a study's latest change; for owners, editors and monitors. @throws resource.not-found, action.forbidden */
export async function readLatest(context: Context, investigation: string): Promise<number> {
  const [row] = await selectLatest(context, investigation);
  return latestOf(row);
}

/**
 * The changes of a study after a sequence, as many as fit `pageBytes`, at most `limit`; for owners, editors and monitors. One round
 * trip. @throws resource.not-found, action.forbidden, request.invalid for a sequence that the study has not reached
 */
export async function listChanges(
  context: Context,
  investigation: string,
  { after, limit, withBody }: ChangePage,
) {
  const [[found], changes] = await context.db.batch([
    selectLatest(context, investigation),
    query<Change>(
      context.db,
      withBody ? pageWithBodies : page,
      { investigation, actor: context.actor, after, limit },
      { body: JSON.parse },
    ),
  ]);
  const latest = latestOf(found);
  if (after > latest)
    throw invalidParameter(
      'after',
      `Expected at most ${latest}, the latest sequence of the study. Your copy is of other data: begin again with 0.`,
    );
  return { changes, latest, next: changes.at(-1)?.sequence ?? after };
}

interface Latest {
  role: Role;
  latest: number;
}

const selectLatest = ({ db, actor }: Context, investigation: string) =>
  query<Latest>(
    db,
    `select role, (select coalesce(max(sequence), 0) from change where investigation_id = :investigation) as latest
      from current_member where investigation_id = :investigation and user_id = :actor`,
    { investigation, actor },
  );

function latestOf(reader: Latest | undefined): number {
  requireStaff(reader, 'read the changes of a study');
  return reader.latest;
}

const columns =
  'page.sequence, page.kind, page.identifier, page.state, page.at, page.revision_id as revisionId';

const fromReader = `from current_member join change on change.investigation_id = :investigation and change.sequence > :after
  where current_member.investigation_id = :investigation and current_member.user_id = :actor
    and current_member.role <> 'responder'`;

const page = `select ${columns}, null as body from (select change.* ${fromReader} order by sequence limit :limit) page
  order by sequence`;

const pageWithBodies = `select ${columns}, iif(page.state in ('deleted', 'removed'), null, ${bodyOfPage}) as body
  from (select change.*, sum(${bytesOfChange}) over (order by change.sequence) as total,
      row_number() over (order by change.sequence) as number from change
      where change.investigation_id = :investigation and change.sequence > :after
      and exists (select 1 from current_member me where me.investigation_id = :investigation and me.user_id = :actor
        and me.role <> 'responder')
      order by change.sequence limit :limit) page
  join current_member on current_member.investigation_id = :investigation and current_member.user_id = :actor
  where page.total <= ${pageBytes} or page.number = 1 order by page.sequence`;
