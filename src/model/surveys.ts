import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { downloads, members, type StoredReminders, type SurveyItem, surveys } from '../db/schema.ts';
import { forbidden, invalid, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { localDate } from '../schedule/civil.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  type NewActivity,
  selectHead,
  withOptimisticRetry,
} from './activities.ts';
import { changeOf } from './activity-details.ts';
import type { Context } from './context.ts';
import { isOpenStudy, requireOpen } from './edit-guards.ts';
import { effectiveZone } from './effective-zone.ts';
import { bytesFull, bytesOf, hasBytes, hasRoom, rowBytes, selectSize, studyFull } from './limits.ts';
import { replanSurvey, replanUser } from './reminders/outbox.ts';
import { asMember, selectRole, whenMember } from './visibility.ts';

const surveyColumns = {
  id: sql<string>`${surveys.id}`.as('survey_id'),
  investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
  name: surveys.name,
  items: surveys.items,
  reminders: surveys.reminders,
  remindersRevision: surveys.remindersRevision,
  remindersSince: surveys.remindersSince,
  archivedAt: surveys.archivedAt,
  role: members.role,
};

const selectSurveys = (db: Database, actor: string) =>
  db
    .select(surveyColumns)
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .$dynamic();

/** @throws resource.not-found */
export async function readSurvey({ db, actor }: Context, id: string) {
  const [survey] = await selectSurveys(db, actor).where(eq(surveys.id, id));
  if (!survey) throw notFound('survey');
  return survey;
}

export type Survey = Awaited<ReturnType<typeof readSurvey>>;

export interface NewSurvey {
  name: string;
  items: SurveyItem[];
  reminders: StoredReminders | null;
}

/**
 * Creates a survey; for owners and editors, while the study has room. Its reminders, if any, are planned for all
 * members. @throws request.invalid, resource.not-found, action.forbidden, study.archived, limit.reached
 */
export async function createSurvey(context: Context, investigation: string, survey: NewSurvey) {
  const { db, actor, now, limits } = context;
  requireFit(context, survey.reminders);
  return withOptimisticRetry(context, async () => {
    const [[me], head, [size]] = await db.batch([
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
      selectSize(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role === 'responder') throw forbidden('Only owners and editors create surveys.');
    requireOpen(size);
    if (size && size.surveyCount >= limits.surveys) throw studyFull('surveys', limits.surveys);
    const bytes = rowBytes + bytesOf(survey);
    if (size && size.storedBytes + bytes > limits.studyBytes) throw bytesFull(limits.studyBytes);
    const id = newIdentifier(now);
    const row = { id, ...survey, remindersRevision: 0, remindersSince: now };
    const details = { survey: id, before: { reminders: null }, after: { reminders: survey.reminders } };
    const entry: NewActivity = { investigation, actor, action: 'survey.reminders-changed', details };
    await db.batch([
      db.insert(surveys).values({
        ...row,
        // Null fails the batch when the role was lost since, the study archived, or the last place taken.
        investigationId: sql`case when ${whenMember(investigation, actor, 'owner', 'editor')}
          and ${isOpenStudy(investigation)} and ${hasRoom(investigation, 'survey_count', limits.surveys)}
          and ${hasBytes(investigation, bytes, limits.studyBytes)} then ${investigation} end`,
        createdAt: now,
      }),
      ...(survey.reminders
        ? [
            ...replanSurvey(context, { survey: id, investigation }),
            appendActivity(db, await chainEntry(headOf(head), entry, now)),
          ]
        : []),
    ]);
    return { ...row, investigationId: investigation, archivedAt: null, role: me.role };
  });
}

/** @throws request.invalid */
export function requireFit(
  { push }: Pick<Context, 'push'>,
  reminders: { notification?: StoredReminders['notification'] | undefined } | null | undefined,
): void {
  if (reminders?.notification && !push.fits(reminders.notification))
    throw invalid(
      '/reminders/notification',
      'Expected a subject and a body that fit the 4 KB of the push services together.',
    );
}

export interface SurveyChange {
  name?: string | undefined;
  items?: SurveyItem[] | undefined;
  reminders?: StoredReminders | null | undefined;
  status?: 'active' | 'archived' | undefined;
}

/**
 * Changed reminders start a new revision, which invalidates every pending notification of the old one at once.
 * @throws request.invalid, resource.not-found, action.forbidden
 */
export async function updateSurvey(context: Context, id: string, change: SurveyChange) {
  const { db, actor, now } = context;
  requireFit(context, change.reminders);
  return withOptimisticRetry(context, async () => {
    const [[before], head] = await db.batch([
      selectSurveys(db, actor).where(eq(surveys.id, id)),
      db
        .select({ position: sql<number>`position`.as('position'), hash: sql<string>`hash`.as('hash') })
        .from(sql`activity`)
        .where(sql`investigation_id = (select investigation_id from survey where id = ${id})`)
        .orderBy(sql`position desc`)
        .limit(1),
    ]);
    if (!before) throw notFound('survey');
    if (before.role === 'responder') throw forbidden('Only owners and editors change surveys.');

    const columns = changedColumns(before, change, now);
    const survey = { ...before, ...columns };
    const changed = changeOf(shown(before), shown(survey));
    if (!changed) return before;
    const investigation = before.investigationId;
    const entry: NewActivity = {
      investigation,
      actor,
      action: 'reminders' in columns ? 'survey.reminders-changed' : 'survey.changed',
      details: { survey: id, ...changed },
    };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db.update(surveys).set(columns).where(eq(surveys.id, id)),
      ...('reminders' in columns || 'archivedAt' in columns
        ? replanSurvey(context, { survey: id, investigation })
        : []),
    ]);
    return survey;
  });
}

/** What the log tells of a survey, as the API names it. */
const shown = ({ name, items, reminders, archivedAt }: Survey) => ({
  name,
  items,
  reminders,
  status: archivedAt === null ? 'active' : 'archived',
});

/** The columns to write: only those that change. */
function changedColumns(before: Survey, { status, reminders, ...plain }: SurveyChange, now: number) {
  const archives = status !== undefined && (status === 'archived') !== (before.archivedAt !== null);
  const reminds = reminders !== undefined && !same(reminders, before.reminders);
  const columns: Partial<Survey> = {
    ...(plain.name !== undefined && plain.name !== before.name && { name: plain.name }),
    ...(plain.items !== undefined && !same(plain.items, before.items) && { items: plain.items }),
    ...(archives && { archivedAt: status === 'archived' ? now : null }),
    ...(reminds && { reminders, remindersRevision: before.remindersRevision + 1 }),
    ...((reminds || (archives && status === 'active')) && { remindersSince: now }),
  };
  return columns;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Records the actor's first download of a survey, which starts their `fixed` series on the local date of that moment.
 * Later downloads change nothing. @throws resource.not-found
 */
export async function downloadSurvey(context: Context, id: string) {
  const { db, actor, now } = context;
  const [[survey], [first], [zone]] = await db.batch([
    selectSurveys(db, actor).where(eq(surveys.id, id)),
    selectDownload(db, actor, id),
    db
      .select({ timeZone: effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`).as('time_zone') })
      .from(sql`user u, survey s join investigation i on i.id = s.investigation_id`)
      .where(sql`u.id = ${actor} and s.id = ${id}`),
  ]);
  if (!survey) throw notFound('survey');
  if (first) return { survey, downloadedAt: first.at };

  const on = localDate(now, zone?.timeZone ?? 'UTC');
  const [, , , [stored]] = await db.batch([
    db.insert(downloads).values({ userId: actor, surveyId: id, at: now, on }).onConflictDoNothing(),
    ...replanUser(context, actor),
    selectDownload(db, actor, id),
  ]);
  return { survey, downloadedAt: stored?.at ?? now };
}

const selectDownload = (db: Database, user: string, survey: string) =>
  db
    .select({ at: downloads.at })
    .from(downloads)
    .where(and(eq(downloads.userId, user), eq(downloads.surveyId, survey)));
