import canonicalize from 'canonicalize';
import { eq, sql } from 'drizzle-orm';
import { isStudy } from '../access/edit-guards.ts';
import { type Held, hasBytes, requireBytes, rowBytes } from '../access/limits.ts';
import { hasShare, type Room, requireShare, shareOf } from '../access/shares.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { selectRow } from '../db/select-row.ts';
import { sha256 } from '../identifiers.ts';
import { ConflictError } from '../log/activities.ts';
import type { Belonging } from '../reminders/belonging.ts';
import type { NotificationKey } from '../reminders/columns.ts';
import { noteReceipts } from '../reminders/reactions.ts';
import { notifications } from '../reminders/schema.ts';
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
  late: boolean | null;
  outdated: boolean;
  createdHash: string;
}

/** Inserts nothing if the study is full, the person wrote enough today, or the identifier is taken. */
function insertSetAside(context: Context, given: NewSetAside) {
  const { db, actor, now, limits } = context;
  const storedBytes = setAsideBytes(given);
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
    late: given.late,
    outdated: given.outdated,
    createdAt: now,
    createdHash: given.createdHash,
    storedBytes,
    settledAt: null,
  });
  const { investigation } = given;
  const fits = sql`coalesce(${hasShare(shareOf(context), storedBytes)},
    ${writtenByLeaver(context, investigation)} + ${storedBytes} <= ${limits.personBytes})`;
  return db
    .insert(setAsides)
    .select(
      sql`${columns} where ${isStudy(investigation, hasBytes(storedBytes, limits.studyBytes), fits)}
        and not exists (select 1 from response r where r.id = ${given.id})`,
    )
    .onConflictDoNothing()
    .returning({ id: setAsides.id });
}

/** The person has answered the notification: no nudge follows. */
const endNudges = (db: Database, { userId, surveyId, revision, key }: NotificationKey) =>
  db
    .update(notifications)
    .set({ nextFollowUpAt: null })
    .where(sql`(user_id, survey_id, revision, occurrence) = (${userId}, ${surveyId}, ${revision}, ${key})
      and next_follow_up_at is not null`);

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

/** Keeps an answer without a place. Its person has answered the reminder. @throws limit.reached */
export async function setAside(
  context: Context,
  target: Held & Pick<Target, 'investigationId' | 'leftBy' | 'room'>,
  given: Omit<NewSetAside, 'investigation' | 'createdHash'> & { belonging: Belonging | null | undefined },
) {
  const { db, actor, limits } = context;
  const { belonging, ...answer } = given;
  const { investigationId: investigation, leftBy } = target;
  const bytes = setAsideBytes(answer);
  requireBytes(target, bytes, limits);
  const room = leftBy === 'left-study' ? await roomOfLeaver(context, investigation) : target.room;
  requireShare(context, room, bytes);
  const createdHash = await hashOfRequest(actor, answer);
  const answered = belonging && keyOf(actor, answer.survey, belonging);
  const [inserted] = await db.batch([
    insertSetAside(context, { ...answer, investigation, createdHash }),
    ...(answered
      ? [
          noteReceipts(db, [
            { ...answered, answeredAt: answer.at, answeredLate: answer.late ? 1 : undefined },
          ]),
          endNudges(db, answered),
        ]
      : []),
  ]);
  // The study filled, or the identifier was taken, after the read.
  if (inserted.length === 0) throw new ConflictError();
  return { setAside: answer.reason };
}

const keyOf = (userId: string, surveyId: string, { revision, key }: Belonging): NotificationKey => ({
  userId,
  surveyId,
  revision,
  key,
});
