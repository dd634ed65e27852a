import { and, eq, isNull, sql } from 'drizzle-orm';
import { archived, isOpenStudy, requireOpen } from '../access/edit-guards.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import { ConflictError, withOptimisticRetry } from '../log/activities.ts';
import { effectiveZone, knownZone, logUnknown } from '../reminders/effective-zone.ts';
import { replanUser } from '../reminders/outbox.ts';
import { localDate } from '../schedule/civil.ts';
import { downloads, surveys } from './survey-schema.ts';
import { selectSurvey } from './surveys.ts';

/**
 * Records the actor's first download of a survey, which starts their `fixed` series on the local date of that moment.
 * Later downloads change nothing. @throws resource.not-found, item.archived, study.archived
 */
export async function downloadSurvey(context: Context, id: string) {
  const { db, actor, now } = context;
  return withOptimisticRetry(context, async () => {
    const [[survey], [first], [study]] = await db.batch([
      selectSurvey(db, actor, id),
      selectDownload(db, actor, id),
      db
        .select({
          timeZone: effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`).as('time_zone'),
          studyZone: sql<string>`i.time_zone`.as('study_zone'),
          archivedAt: sql<number | null>`i.archived_at`.as('study_archived_at'),
        })
        .from(sql`user u, survey s join investigation i on i.id = s.investigation_id`)
        .where(sql`u.id = ${actor} and s.id = ${id}`),
    ]);
    if (!survey || !study) throw notFound('survey');
    if (first) return { survey, downloadedAt: first.at };
    requireOpen(study);
    if (survey.archivedAt !== null)
      throw archived('', 'The survey is archived and takes no download: bring it back first.');

    const { timeZone, studyZone } = study;
    logUnknown(context, [timeZone]);
    const on = localDate(now, knownZone(timeZone, studyZone));
    const row = selectRow(downloads, { userId: actor, surveyId: id, at: now, on });
    const isOpen = and(eq(surveys.id, id), isNull(surveys.archivedAt), isOpenStudy(surveys.investigationId));
    const [, , , [stored]] = await db.batch([
      db.insert(downloads).select(sql`${row} from ${surveys} where ${isOpen}`).onConflictDoNothing(),
      ...replanUser(context, actor),
      selectDownload(db, actor, id),
    ]);
    // The survey was archived after the read.
    if (!stored) throw new ConflictError();
    return { survey, downloadedAt: stored.at };
  });
}

const selectDownload = (db: Database, user: string, survey: string) =>
  db
    .select({ at: downloads.at })
    .from(downloads)
    .where(and(eq(downloads.userId, user), eq(downloads.surveyId, survey)));
