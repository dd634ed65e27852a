import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { changes } from '../changes/schema.ts';
import { participantCompliance, surveyCompliance } from '../compliance/schema.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { enrolments } from '../enrolment/schema.ts';
import { cases, responseRevisions, responses, revisionsOf } from '../items/schema.ts';
import { setAsides } from '../items/set-aside-schema.ts';
import { accessDays, activities, activityItems } from '../log/schema.ts';
import { users } from '../people/schema.ts';
import { cursors, notifications, wakes, zoneChanges } from '../reminders/schema.ts';
import { purgeAfterMs } from '../schedule/retention.ts';
import { webhooks } from '../webhooks/schema.ts';
import {
  allMembers,
  deletedStudies,
  investigations,
  invitationLifetimeMs,
  invitations,
  memberCodes,
} from './schema.ts';
import { surveys } from './survey-schema.ts';

/** A deleted study of which a sweep removes a slice. */
export interface DuePurge {
  study: string;
  surveys: number;
}

/** The study that has been past its retention for longest. Reads one row at most. */
export const selectDuePurge = (db: Database, now: number) =>
  db
    .select({ study: deletedStudies.investigationId, surveys: surveyCount.as('surveys') })
    .from(deletedStudies)
    .where(sql`${deletedStudies.at} < ${now - purgeAfterMs}`)
    .orderBy(deletedStudies.at)
    .limit(1);

const surveyCount = sql<number>`(select count(*) from survey s
  where s.investigation_id = deleted_study.investigation_id)`;

/** The most that one slice removes of each kind, so that deliveries wait for it no longer than for one another. */
const max = { cursors: 25, notifications: 500, items: 250, rows: 500, entries: 50, bytes: 4_000_000 };

/** Users times surveys that a slice looks up. */
const maxLookUps = 5_000;

/** The tables with a study column. */
const contents = [
  'survey',
  'response',
  'study_case',
  'set_aside',
  'member',
  'member_code',
  'invitation',
  'enrolment',
  'access_day',
  'activity_item',
  'activity',
  'change',
];

/** Sorts after every identifier of a user: all users are walked. */
const walked = 'g';

/**
 * Removes the next slice of a study, in one batch: rows of each kind once nothing else needs them, and with the last ones
 * the study itself. Cursors have no index by study, whose cost each delivery would pay, so a walk over the users finds
 * them, including those of former members, and by them the notifications.
 */
export async function purgeStudySlice({ db }: Pick<Context, 'db'>, { study, surveys: count }: DuePurge) {
  const slice = Math.max(1, Math.floor(maxLookUps / Math.max(1, count)));
  const of = (table: string, limit: number) =>
    sql`(select id from ${sql.identifier(table)} where investigation_id = ${study} limit ${limit})`;
  const isEmpty = (table: string) =>
    sql`not exists (select 1 from ${sql.identifier(table)} where investigation_id = ${study})`;
  const nextCursors = sql`select n.user_id, n.survey_id ${rowsOf('scheduled_notification', study, slice)} limit ${max.cursors}`;
  const isWalked = sql`(select purged_through from deleted_study where investigation_id = ${study}) = ${walked}`;
  const isLast = sql`${isWalked} and ${sql.join(contents.map(isEmpty), sql` and `)}`;
  const nextChanges = sql`from change where investigation_id = ${study} order by sequence limit ${max.rows}`;
  await db.batch([
    db.delete(notifications).where(sql`(user_id, due_at, id) in (
      select n.user_id, n.due_at, n.id from (${nextCursors}) c cross join notification n
        on n.user_id = c.user_id and n.survey_id = c.survey_id limit ${max.notifications})`),
    db
      .delete(cursors)
      .where(sql`(user_id, survey_id) in (${nextCursors}) and not exists (select 1 from notification n
      where n.user_id = ${cursors.userId} and n.survey_id = ${cursors.surveyId})`),
    db.delete(participantCompliance).where(sql`(user_id, survey_id, month) in (
      select n.user_id, n.survey_id, n.month ${rowsOf('participant_compliance', study, slice)} limit ${max.rows})`),
    db
      .update(deletedStudies)
      .set({
        purgedThrough: sql`coalesce((select max(id) from ${usersBehind(study, slice)}
          having count(*) = ${slice}), ${walked})`,
      })
      .where(
        // A change of a member may bring back a cursor.
        sql`investigation_id = ${study} and ${isEmpty('member')}
          and not exists (select 1 ${rowsOf('scheduled_notification', study, slice)})
          and not exists (select 1 ${rowsOf('participant_compliance', study, slice)})`,
      ),
    db.delete(surveyCompliance).where(sql`(survey_id, properties, date, outcome) in (
      select n.survey_id, n.properties, n.date, n.outcome ${ofSurveys('survey_compliance', study)} limit ${max.rows})`),
    db
      .delete(responseRevisions)
      .where(sql`(response_id, number) in ${revisionsOf(of('response', max.items), max)}`),
    db.delete(responses).where(
      sql`id in ${of('response', max.items)}
        and not exists (select 1 from response_revision v where v.response_id = response.id)`,
    ),
    db.delete(cases).where(inArray(cases.id, of('study_case', max.items))),
    db.delete(setAsides).where(inArray(setAsides.id, of('set_aside', max.items))),
    db.delete(allMembers).where(sql`(investigation_id, user_id) in (
      select investigation_id, user_id from member where investigation_id = ${study} limit ${max.rows})`),
    db.delete(memberCodes).where(sql`(user_id, investigation_id) in (
      select user_id, investigation_id from member_code where investigation_id = ${study} limit ${max.rows})`),
    db.delete(invitations).where(sql`(email, investigation_id) in (
      select email, investigation_id from invitation where investigation_id = ${study} limit ${max.rows})`),
    db.delete(accessDays).where(sql`(investigation_id, user_id, day) in (
      select investigation_id, user_id, day from access_day where investigation_id = ${study} limit ${max.rows})`),
    db.delete(activityItems).where(sql`(investigation_id, position, kind, first) in (
      select investigation_id, position, kind, first from activity_item
      where investigation_id = ${study} limit ${max.entries})`),
    db.delete(activities).where(sql`(investigation_id, position) in (
      select investigation_id, position from activity where investigation_id = ${study} limit ${max.entries})`),
    // A program is nothing beside its study.
    db.delete(users).where(sql`made_by is not null and id in (select identifier from (
      select identifier, kind ${nextChanges}) where kind = 'member')`),
    db
      .delete(changes)
      .where(sql`(investigation_id, sequence) in (select investigation_id, sequence ${nextChanges})`),
    db.delete(webhooks).where(eq(webhooks.investigationId, study)),
    db.delete(zoneChanges).where(eq(zoneChanges.ofId, study)),
    db.delete(enrolments).where(sql`id in ${of('enrolment', max.rows)}`),
    db
      .delete(wakes)
      .where(sql`id = ${study} or id in (select s.id from survey s where s.investigation_id = ${study})`),
    db.delete(surveys).where(sql`id in ${of('survey', max.entries)} and ${isWalked} and ${isEmpty('response')}
        and not exists (select 1 ${ofSurveys('survey_compliance', study)})`),
    // The study no longer counts for its creator.
    db
      .update(users)
      .set({ studyCount: sql`${users.studyCount} - 1` })
      .where(sql`id = (select creator_id from investigation where id = ${study}) and ${isLast}`),
    db.delete(investigations).where(sql`id = ${study} and ${isLast}`),
    db
      .delete(deletedStudies)
      .where(
        sql`investigation_id = ${study} and not exists (select 1 from investigation where id = ${study})`,
      ),
  ]);
}

/** In SQL: the next users of the walk, by identifier. */
const usersBehind = (study: string, users: number): SQL =>
  sql`(select id from user where id > (select purged_through from deleted_study where investigation_id = ${study})
    order by id limit ${users})`;

/** In SQL: rows `n` of these users for the surveys of the study. */
const rowsOf = (table: string, study: string, users: number): SQL =>
  sql`from ${usersBehind(study, users)} u cross join survey s
    cross join ${sql.identifier(table)} n on n.user_id = u.id and n.survey_id = s.id
    where s.investigation_id = ${study}`;

/** In SQL: rows `n` of the surveys of the study, of any user. */
const ofSurveys = (table: string, study: string): SQL =>
  sql`from survey s cross join ${sql.identifier(table)} n on n.survey_id = s.id where s.investigation_id = ${study}`;

/** Removes expired invitations, the oldest thousand. */
export async function purgeInvitations({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const expired = sql`select email, investigation_id from invitation where created_at <= ${now - invitationLifetimeMs}
    order by created_at limit 1000`;
  await db
    .delete(invitations)
    .where(sql`(${invitations.email}, ${invitations.investigationId}) in (${expired})`);
}
