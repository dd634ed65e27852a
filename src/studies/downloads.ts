import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { ConflictError, withOptimisticRetry } from '../log/activities.ts';
import { archived, isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { requireNoMonitor } from '../permissions/visibility.ts';
import { effectiveZone, knownZone, logUnknown } from '../reminders/effective-zone.ts';
import { cursors } from '../reminders/schema.ts';
import { noteDownload, wakeUser } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { surveys } from './survey-schema.ts';
import { selectSurvey } from './surveys.ts';

/**
 * Records the actor's first download of a survey, which starts their `fixed` series on the local date of that moment.
 * Later downloads change nothing. @throws resource.not-found, item.archived, study.archived
 */
export async function downloadSurvey(context: Context, id: string) {
  const { db, actor, now } = context;
  return withOptimisticRetry(async () => {
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
    requireNoMonitor(survey);
    if (first?.at != null) return { survey, downloadedAt: first.at };
    requireOpen(study);
    if (survey.archivedAt !== null)
      throw archived('', 'The survey is archived and takes no download: bring it back first.');

    const { timeZone, studyZone } = study;
    logUnknown(context, [timeZone]);
    const on = localDate(now, knownZone(timeZone, studyZone));
    const isOpen = and(eq(surveys.id, id), isNull(surveys.archivedAt), isOpenStudy(surveys.investigationId));
    const results = await db.batch([
      ...noteDownload(
        context,
        { user: actor, survey: id, on },
        sql`exists (select 1 from survey where ${isOpen})`,
      ),
      ...wakeUser(context, actor),
      selectDownload(db, actor, id),
    ]);
    const [stored] = results.at(-1) as { at: number | null }[];
    // The survey was archived after the read.
    if (stored?.at == null) throw new ConflictError();
    return { survey, downloadedAt: stored.at };
  });
}

const selectDownload = (db: Database, user: string, survey: string) =>
  db
    .select({ at: cursors.downloadedAt })
    .from(cursors)
    .where(and(eq(cursors.userId, user), eq(cursors.surveyId, survey)));
