import canonicalize from 'canonicalize';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { selectRow } from '../db/select-row.ts';
import { sha256 } from '../identifiers.ts';
import { ConflictError } from '../log/activities.ts';
import { isStudy, requireUnfrozen } from '../permissions/edit-guards.ts';
import { grow } from '../permissions/growth.ts';
import { type Held, requireBytes, rowBytes } from '../permissions/limits.ts';
import { type Room, requireShare } from '../permissions/shares.ts';
import { endNudges, noteAnswered, noteReactions } from '../reminders/reactions.ts';
import { dayMs } from '../schedule/days.ts';
import { type Content, contentBytes } from './response-content.ts';
import type { Target } from './response-targets.ts';
import type { SetAsideReason } from './set-aside-reasons.ts';
import { setAsides } from './set-aside-schema.ts';

/** A request to answer a survey for a case. */
export interface Request extends Content {
  survey: string;
  case: string;
}

/** A digest by which a repeat is recognised. Not of its time, which a phone tells by a clock that may be set meanwhile. */
export const hashOfRequest = (actor: string, { survey, case: of, items, reasons }: Request) =>
  sha256(canonicalize({ actor, survey, case: of, items, reasons }) ?? '');

/** The answer that was set aside under this identifier, by whomever. */
export const selectSetAside = (db: Database, id: string) =>
  db
    .select({
      reason: sql<SetAsideReason>`${setAsides.reason}`.as('aside_reason'),
      createdHash: setAsides.createdHash,
    })
    .from(setAsides)
    .where(eq(setAsides.id, id));

/** Bytes that an answer counts while it is set aside; what stays of it afterwards is a row. */
const setAsideBytes = (given: Content) => rowBytes + contentBytes(given);

interface NewSetAside extends Request {
  id: string;
  investigation: string;
  reason: SetAsideReason;
  at: number;
  notification: string | null;
  occurrence: string | null;
  late: boolean | null;
  outdated: boolean;
  createdHash: string;
  /** In SQL: the notification is still the one that it belongs to. */
  stillBelongs: SQL;
  /** The frozen groups of the study as they were read, as JSON. */
  frozenGroups: string | null;
}

/** Inserts nothing if the identifier is taken. */
function insertSetAside({ db, actor, now }: Context, given: NewSetAside) {
  const columns = selectRow(setAsides, {
    id: given.id,
    investigationId: given.investigation,
    surveyId: given.survey,
    caseId: given.case,
    responderId: actor,
    reason: given.reason,
    items: given.items,
    reasons: given.reasons,
    givenAt: given.at,
    notification: given.notification,
    occurrence: given.occurrence,
    late: given.late,
    outdated: given.outdated,
    createdAt: now,
    // Null fails the batch if the study was frozen since the read, or another answer came.
    createdHash: sql`case when ${isStudy(given.investigation, sql`frozen_at is null`, sql`frozen_groups is ${given.frozenGroups}`)} and ${given.stillBelongs}
      then ${given.createdHash} end`,
    storedBytes: setAsideBytes(given),
    settledAt: null,
  });
  return db
    .insert(setAsides)
    .select(sql`${columns} where not exists (select 1 from response r where r.id = ${given.id})`)
    .onConflictDoNothing()
    .returning({ id: setAsides.id });
}

/** In SQL: the bytes that somebody who is no member has set aside today. */
const writtenByLeaver = ({ actor, now }: Context, investigation: string) =>
  sql`(select coalesce(sum(own.stored_bytes), 0) from set_aside own where own.responder_id = ${actor}
    and own.investigation_id = ${investigation} and own.created_at >= ${Math.floor(now / dayMs) * dayMs})`;

/** The room of somebody who is no member any more. */
async function roomOfLeaver(context: Context, investigation: string): Promise<Room> {
  const [row] = await context.db
    .select({ written: sql<number>`${writtenByLeaver(context, investigation)}`.as('written_today') })
    .from(sql`(select 1)`);
  return {
    MAX_PERSON_BYTES: context.limits.personBytes - (row?.written ?? 0),
    MAX_PARTICIPANTS_BYTES: null,
  };
}

/** Keeps an answer without a place. Its person has answered the reminder. @throws study.frozen, limit.reached */
export async function setAside(
  context: Context,
  target: Held &
    Pick<
      Target,
      'investigationId' | 'leftBy' | 'room' | 'role' | 'frozenAt' | 'frozenGroup' | 'frozenGroups'
    >,
  answer: Omit<NewSetAside, 'investigation' | 'createdHash' | 'frozenGroups'>,
) {
  const { db, actor, limits } = context;
  const { investigationId: investigation, leftBy, frozenGroups } = target;
  const bytes = setAsideBytes(answer);
  requireUnfrozen(target);
  requireBytes(target, bytes, limits);
  const room = leftBy === 'left-study' ? await roomOfLeaver(context, investigation) : target.room;
  requireShare(context, room, bytes);
  const createdHash = await hashOfRequest(actor, answer);
  const { notification, survey } = answer;
  const row = { table: 'set_aside', id: answer.id, revision: createdHash } as const;
  const [inserted] = await db.batch([
    insertSetAside(context, { ...answer, investigation, createdHash, frozenGroups }),
    ...(notification === null
      ? []
      : [
          noteReactions(db, [
            { id: notification, answeredAt: answer.at, answeredLate: answer.late ? 1 : undefined },
          ]),
          noteAnswered(db, { user: actor, survey, notification }),
          endNudges(db, { user: actor, survey, notification }),
        ]),
    ...grow(context, investigation, { stored: bytes, written: bytes }, row),
  ]);
  // The identifier was taken after the read.
  if (inserted.length === 0) throw new ConflictError();
  return { setAside: answer.reason };
}
