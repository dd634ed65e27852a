import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import {
  devices,
  downloads,
  members,
  type StoredReminders,
  type SurveyItem,
  surveys,
  users,
} from '../db/schema.ts';
import { forbidden, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { localDate } from '../schedule/civil.ts';
import { appendActivity, headOf, inTurn, seal, selectHead } from './activities.ts';
import { insertReplan, replanJob } from './replans.ts';
import { asMember, selectRole } from './visibility.ts';

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
export async function readSurvey(db: Database, actor: string, id: string) {
  const [survey] = await selectSurveys(db, actor).where(eq(surveys.id, id));
  if (!survey) throw notFound('survey');
  return survey;
}

export type Survey = Awaited<ReturnType<typeof readSurvey>>;

/** All surveys of a study, which members of every role see. @throws resource.not-found */
export async function listSurveys(db: Database, actor: string, investigation: string) {
  const [role, rows] = await db.batch([
    selectRole(db, investigation, actor),
    selectSurveys(db, actor)
      .where(eq(surveys.investigationId, investigation))
      .orderBy(surveys.createdAt, surveys.id),
  ]);
  if (!role[0]) throw notFound('investigation');
  return rows;
}

export interface NewSurvey {
  name: string;
  items: SurveyItem[];
  reminders: StoredReminders | null;
}

/** Owners and editors. Reminders from the start are planned for everyone: `job` is to be started. */
export async function createSurvey(
  db: Database,
  actor: string,
  investigation: string,
  survey: NewSurvey,
  now: number,
) {
  return inTurn(async () => {
    const [[me], head] = await db.batch([
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role === 'responder') throw forbidden('Only owners and editors create surveys.');
    const id = newIdentifier(now);
    const row = { id, investigationId: investigation, ...survey, remindersRevision: 0, remindersSince: now };
    const insert = db.insert(surveys).values({ ...row, createdAt: now });
    const job = survey.reminders ? replanJob({ investigation }, now) : null;
    await (job
      ? db.batch([
          insert,
          insertReplan(db, job, now),
          appendActivity(
            db,
            await seal(headOf(head), remindersChanged(investigation, actor, id, survey.reminders), now),
          ),
        ])
      : insert);
    return { survey: { ...row, archivedAt: null, role: me.role }, job };
  });
}

const remindersChanged = (
  investigation: string,
  actor: string,
  survey: string,
  reminders: StoredReminders | null,
) => ({
  investigation,
  actor,
  action: 'survey.reminders-changed' as const,
  details: { survey, reminders },
});

export interface SurveyChange {
  name?: string | undefined;
  items?: SurveyItem[] | undefined;
  reminders?: StoredReminders | null | undefined;
  status?: 'active' | 'archived' | undefined;
}

/**
 * Changed reminders begin a new revision, which makes every pending notification of the old one invalid at
 * once; planning anew follows with `job`. @throws resource.not-found, action.forbidden
 */
export async function updateSurvey(
  db: Database,
  actor: string,
  id: string,
  change: SurveyChange,
  now: number,
) {
  return inTurn(async () => {
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

    const archived = change.status === undefined ? before.archivedAt !== null : change.status === 'archived';
    const newReminders = change.reminders !== undefined && !same(change.reminders, before.reminders);
    const returns = before.archivedAt !== null && !archived;
    const replanned = newReminders || archived !== (before.archivedAt !== null);
    const after = {
      name: change.name ?? before.name,
      items: change.items ?? before.items,
      reminders: change.reminders === undefined ? before.reminders : change.reminders,
      archivedAt: archived ? (before.archivedAt ?? now) : null,
      remindersRevision: before.remindersRevision + (newReminders ? 1 : 0),
      remindersSince: newReminders || returns ? now : before.remindersSince,
    };
    const update = db
      .update(surveys)
      .set({ ...after, ...(replanned && { planStamp: sql`${surveys.planStamp} + 1` }) })
      .where(eq(surveys.id, id));
    const investigation = before.investigationId;
    const job = replanned ? replanJob({ investigation }, now) : null;
    const entry = remindersChanged(investigation, actor, id, after.reminders);
    await (job
      ? db.batch([
          update,
          insertReplan(db, job, now),
          appendActivity(
            db,
            await seal(
              headOf(head),
              newReminders
                ? entry
                : {
                    ...entry,
                    action: 'study.changed',
                    details: { survey: id, archivedAt: after.archivedAt },
                  },
              now,
            ),
          ),
        ])
      : update);
    return { survey: { ...before, ...after }, job };
  });
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Notes the first download of a survey by the actor, which starts their `fixed` series on the local date of
 * that moment; later ones change nothing. @throws resource.not-found
 */
export async function downloadSurvey(db: Database, actor: string, id: string, now: number) {
  const [[survey], [first], [place]] = await db.batch([
    selectSurveys(db, actor).where(eq(surveys.id, id)),
    selectDownload(db, actor, id),
    db
      .select({ timeZone: effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`).as('time_zone') })
      .from(sql`user u, survey s join investigation i on i.id = s.investigation_id`)
      .where(sql`u.id = ${actor} and s.id = ${id}`),
  ]);
  if (!survey) throw notFound('survey');
  if (first) return { survey, downloadedAt: first.at, job: null };

  const job = replanJob({ user: actor }, now);
  const on = localDate(now, place?.timeZone ?? 'UTC');
  const [, , , [stored]] = await db.batch([
    db.insert(downloads).values({ userId: actor, surveyId: id, at: now, on }).onConflictDoNothing(),
    db
      .update(users)
      .set({ planStamp: sql`${users.planStamp} + 1` })
      .where(eq(users.id, actor)),
    insertReplan(db, job, now),
    selectDownload(db, actor, id),
  ]);
  return { survey, downloadedAt: stored?.at ?? now, job };
}

const selectDownload = (db: Database, user: string, survey: string) =>
  db
    .select({ at: downloads.at })
    .from(downloads)
    .where(and(eq(downloads.userId, user), eq(downloads.surveyId, survey)));

/** The zone of the device last registered or updated, else the user's, else the study's. */
export const effectiveZone = (
  user: ReturnType<typeof sql>,
  userZone: ReturnType<typeof sql>,
  studyZone: ReturnType<typeof sql>,
) =>
  sql<string>`coalesce((select d.time_zone from ${devices} d where d.user_id = ${user} order by d.seen_at desc limit 1), ${userZone}, ${studyZone})`;
