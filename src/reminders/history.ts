import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { fits } from '../permissions/groups.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { maySeeSurvey, requireStaff, selectAlive, studyOf } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { type HistoryPage, historyPage, type Listed, listed, selectPage } from './history-page.ts';

const ofUser = historyPage(
  sql`:user`,
  (
    survey,
  ) => sql`${survey} = coalesce(:asked, ${survey}) and not exists (select 1 from survey s join deleted_study gone on gone.investigation_id = s.investigation_id
    where s.id = ${survey})`,
);

/** Of a user, or of the one with a code in the study, for its staff: without blinded surveys, which only owners see. */
const ofStaff = (study: SQL, isAsked: (survey: SQL) => SQL) => {
  const isOwner = sql`exists (select 1 from current_member me
    where me.investigation_id = ${study} and me.user_id = :actor and me.role = 'owner')`;
  // A text, so that SQLite reads it once, and nothing for each notification.
  const blinded = sql`(select coalesce(group_concat(b.id), '') from survey b
    where b.investigation_id = ${study} and b.blinded and not ${isOwner})`;
  return historyPage(
    sql`(select coalesce(:user, ${userWithCode(study, sql`:code`)}) from current_member me
      where me.investigation_id = ${study} and me.user_id = :actor and me.role <> 'responder')`,
    isAsked,
    (survey) => sql`instr(${blinded}, ${survey}) = 0`,
  );
};
const ofSurvey = ofStaff(
  sql`(select s.investigation_id from survey s where s.id = :asked)`,
  (survey) => sql`${survey} = :asked`,
);
const ofStudy = ofStaff(
  sql`:asked`,
  (survey) => sql`${survey} in (select s.id from survey s where s.investigation_id = :asked)`,
);

/**
 * A user's past and upcoming notifications, of all surveys or of one, with the reasons of those not sent; newest first. One
 * round trip.
 * @throws resource.not-found when the user is deleted
 */
export async function listUserNotifications(
  { db }: Pick<Context, 'db'>,
  user: string,
  { survey = null, ...page }: HistoryPage & { survey?: string | null | undefined },
): Promise<Listed> {
  const [[me], found] = await db.batch([
    selectAlive(db, user),
    selectPage(db, ofUser, page, { user, asked: survey }),
  ]);
  if (!me) throw notFound('user');
  return listed(found);
}
/** A member, by their identifier or by the code that the study gave them. */
export type Somebody = { user: string; code?: never } | { code: string; user?: never };

/**
 * The same for one survey and one member, for owners, editors and monitors, with the member's code.
 * @throws resource.not-found, action.forbidden
 */
export const listSurveyNotifications = (context: Reading, survey: string, who: Somebody, page: HistoryPage) =>
  listForStaff(context, page, {
    who,
    id: survey,
    study: studyOf(survey),
    survey,
    of: ofSurvey,
    missing: 'survey',
  });

/** The same for all surveys of a study. @throws resource.not-found, action.forbidden */
export const listStudyNotifications = (context: Reading, study: string, who: Somebody, page: HistoryPage) =>
  listForStaff(context, page, { who, id: study, study, of: ofStudy, missing: 'investigation' });

type Reading = Pick<Context, 'db' | 'actor'>;

interface OfStudy {
  who: Somebody;
  /** The survey or the study. */
  id: string;
  study: string | SQL;
  survey?: string;
  of: SQL;
  missing: 'survey' | 'investigation';
}

async function listForStaff(
  { db, actor }: Reading,
  page: HistoryPage,
  { who, id, study, survey, of, missing }: OfStudy,
) {
  const { user = null, code = null }: { user?: string | null; code?: string | null } = who;
  const [[reader], found] = await db.batch([
    selectReader(db, actor, { study, survey, user: who.user ?? userWithCode(study, who.code) }),
    selectPage(db, of, page, { user, code, actor, asked: id }),
  ]);
  const me = reader?.seesSurvey ? reader : undefined;
  requireStaff(me, 'read the notifications of others', missing);
  if (!me.includesUser) throw notFound('user');
  return { ...listed(found), code: me.code };
}

/** drizzle leaves out the table of a column where a query has one alone, which would name another one in a subquery. */
const thisStudy = sql.raw('current_member.investigation_id');

/**
 * The actor's role in a study, whether the user is also a member in the part of it that the actor sees, and their code; undefined if
 * the actor is no member. `seesSurvey`: 1 if the actor sees the survey, or none is asked for.
 */
export const selectReader = (
  db: Database,
  actor: string,
  { study, survey, user }: { study: string | SQL; survey?: string | undefined; user: string | SQL },
) =>
  db
    .select({
      role: members.role,
      includesUser: sql<number>`exists (select 1 from current_member other
        where other.investigation_id = ${thisStudy} and other.user_id = ${user}
          and (other.user_id = ${actor} or ${fits(sql.raw('current_member.scope'), sql`other.properties`)}))`.as(
        'includes',
      ),
      seesSurvey: sql<number>`${
        survey === undefined
          ? sql`1`
          : sql`exists (select 1 from survey where survey.id = ${survey} and ${maySeeSurvey})`
      }`.as('sees_survey'),
      code: codeOf(thisStudy, user).as('member_code'),
    })
    .from(members)
    .where(and(eq(members.investigationId, study), eq(members.userId, actor)));
