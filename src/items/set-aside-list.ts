import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { query, textOf } from '../db/query.ts';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { requireStaff, selectRole } from '../permissions/visibility.ts';
import { sliceOf } from './lists.ts';
import type { Content } from './response-content.ts';
import type { SetAsideReason } from './set-aside-reasons.ts';

/** An answer that waits for owners and editors, as its list reads it. */
export interface ListedSetAside extends Content {
  id: string;
  createdAt: number;
  reason: SetAsideReason;
  surveyId: string;
  surveyName: string | null;
  caseId: string;
  /** Null: there is no such case, or it is deleted. */
  caseLabel: string | null;
  responderId: string;
  responderName: string | null;
  code: string | null;
  givenAt: number;
  notification: string | null;
  late: number | null;
  outdated: number;
  bytes: number;
}

/** The creation time and identifier of the last row of the previous page. */
type Place = readonly [number, string];

/**
 * A page in order of receipt, with one extra row if more follow. Has as many rows as fit `pageBytes`, at most `limit`. One round
 * trip. @throws resource.not-found, action.forbidden
 */
export async function listSetAsides(
  { db, actor }: Context,
  investigation: string,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<ListedSetAside[]> {
  const [[me], rows] = await db.batch([
    selectRole(db, investigation, actor),
    query<ListedSetAside>(
      db,
      page,
      { investigation, actor, createdAt: after?.[0] ?? 0, id: after?.[1] ?? '', limit: limit + 1 },
      { items: JSON.parse, reasons: JSON.parse },
    ),
  ]);
  requireStaff(me, 'see answers that are set aside');
  return rows;
}

const code = textOf(codeOf(sql.raw('s.investigation_id'), sql.raw('s.responder_id')));

/** In SQL: the answers that wait, after a place. */
const waiting = `set_aside.investigation_id = :investigation and set_aside.settled_at is null
  and (set_aside.created_at, set_aside.id) > (:createdAt, :id)`;

const bytes = `octet_length(items) + octet_length(reasons) + ${listedBytes}`;

const page = `select s.id, s.created_at as createdAt, s.reason, s.survey_id as surveyId, survey.name as surveyName,
    s.case_id as caseId, (select c.label from study_case c where c.id = s.case_id
      and c.investigation_id = s.investigation_id and c.deleted_at is null) as caseLabel,
    s.responder_id as responderId, user.name as responderName, ${code} as code, s.items, s.reasons,
    s.given_at as givenAt, s.notification, s.late, s.outdated, measured.bytes
  from (select id, bytes, sum(bytes) over (order by created_at, id) as total from (
      select id, created_at, ${bytes} as bytes from set_aside where ${waiting} and exists (
        select 1 from current_member me where me.investigation_id = :investigation and me.user_id = :actor
          and me.role <> 'responder')
      order by created_at, id limit :limit)) measured
  cross join set_aside s on s.id = measured.id
  left join survey on survey.id = s.survey_id left join user on user.id = s.responder_id
  where measured.total - measured.bytes <= ${pageBytes} order by s.created_at, s.id`;

/** Counts the answers that wait. */
export const countSetAsides = ({ db }: Context, investigation: string) =>
  countInSlices<Place>((after) =>
    sliceOf(
      query(
        db,
        `select count(*) as n, max(printf('%015d', created_at) || id) as last from (
          select created_at, id from set_aside where ${waiting} order by created_at, id limit ${sliceRows})`,
        { investigation, createdAt: after?.[0] ?? 0, id: after?.[1] ?? '' },
      ),
    ),
  );
