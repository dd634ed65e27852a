import { type SQL, sql } from 'drizzle-orm';
import { isDeletedStudy } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { occurrenceIdentifier, partsOfOccurrence, revisionsTold } from '../identifiers.ts';
import { surveys } from '../studies/survey-schema.ts';
import { answerReceivedAt, type HistoryEntry, historyColumns, notifiedSurveys } from './history.ts';
import { notifications } from './schema.ts';

/** In SQL: a later notification of the survey is settled and not invalidated, so this one gets no follow-up. */
const hasNewer = sql`exists (
  select 1 from scheduled_notification l where l.user_id = ${notifications.userId}
  and l.survey_id = ${notifications.surveyId} and l.settled_at is not null and l.state <> 'invalidated'
  and (l.revision, l.occurrence) > (${notifications.revision}, ${notifications.key}))`;

/** A response whose occurrence was invalidated may have another row under later reminders. */
export const lastInvalidated = sql`${notifications.state} is 'invalidated'`;

type Reading = Pick<Context, 'db' | 'actor'>;

/**
 * A notification by its identifier: the user's own, or one in a study that the actor owns or edits. @throws
 * resource.not-found
 */
export async function readNotification(context: Reading, id: string): Promise<HistoryEntry> {
  const found = await find(context, id);
  if (found.user !== context.actor && found.role !== 'owner' && found.role !== 'editor')
    throw notFound('notification');
  return found;
}

/** One of the actor's own. @throws resource.not-found */
export async function readOwn(context: Reading, id: string) {
  const found = await find(context, id);
  if (found.user !== context.actor) throw notFound('notification');
  return found;
}

/**
 * One round trip: it looks at the surveys from which the user has had notifications. For a triggered one, or none, another.
 */
async function find(reading: Reading, id: string) {
  if (!/^[0-9a-f]{32}$/.test(id)) throw notFound('notification');
  const { revision, key, responseEnd } = partsOfOccurrence(id);
  const ofSeries = sql`${notifications.userId} = c.user and ${notifications.surveyId} = c.survey
    and ${notifications.key} = ${key} and ${notifications.revision} = ${surveys.remindersRevision}
    - (${surveys.remindersRevision} + ${revisionsTold} - ${revision}) % ${revisionsTold}`;
  // The `+` keeps SQLite off the key, by which it would read all rows of the survey.
  const ofResponse = sql`+${notifications.userId} = c.user and +${notifications.surveyId} = c.survey
    and ${notifications.responseEnd} = ${responseEnd}`;
  const found = (await findBy(reading, id, ofSeries)) ?? (await findBy(reading, id, ofResponse));
  if (!found) throw notFound('notification');
  return found;
}

async function findBy({ db, actor }: Reading, id: string, which: SQL) {
  const { userEnd } = partsOfOccurrence(id);
  const rows = await db
    .select({
      ...historyColumns,
      answerReceivedAt: answerReceivedAt({
        user: notifications.userId,
        survey: notifications.surveyId,
        answeredAt: notifications.answeredAt,
      }),
      role: sql<string | null>`(select m.role from current_member m
        where m.investigation_id = ${surveys.investigationId} and m.user_id = ${actor})`.as('role'),
      expiresAfter: sql<number | null>`case when json_valid(${surveys.plainReminders})
        then ${surveys.plainReminders} ->> 'expiresAfter' end`.as('expires_after'),
      newer: sql<number>`${hasNewer}`.as('newer'),
      archived: sql<number>`(${surveys.archivedAt} is not null or exists (select 1 from investigation i
        where i.id = ${surveys.investigationId} and i.archived_at is not null))`.as('archived'),
    })
    // SQLite keeps the order of a CROSS JOIN, and would otherwise read all surveys.
    .from(sql`${notifiedSurveys(sql`substr(u.id, 21) = ${userEnd}`)} c`)
    .crossJoin(surveys)
    .crossJoin(notifications)
    .where(sql`${surveys.id} = c.survey and ${which} and not ${isDeletedStudy(surveys.investigationId)}`)
    .orderBy(lastInvalidated);
  return rows.find((row) => occurrenceIdentifier(row.user, row.survey, row.revision, row.key) === id);
}
