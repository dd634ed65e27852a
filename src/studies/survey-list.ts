import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { asMember, maySeeSurvey, selectRole } from '../permissions/visibility.ts';
import { members } from './schema.ts';
import { surveys } from './survey-schema.ts';

export interface SurveyPage {
  limit: number;
  /** The creation time and identifier of the last survey of the previous page. */
  after?: readonly [number, string] | undefined;
}

export type ListedSurvey = Awaited<ReturnType<typeof listSurveys>>[number];

/**
 * A page of a study's surveys in order of creation, with one extra row if more follow: those that the actor sees.
 * Has as many rows as fit `pageBytes`, at most `limit`. One round trip. @throws resource.not-found
 */
export async function listSurveys({ db, actor }: Context, investigation: string, page: SurveyPage) {
  const isAfter =
    page.after && sql`(${surveys.createdAt}, ${surveys.id}) > (${page.after[0]}, ${page.after[1]})`;
  const range = and(eq(surveys.investigationId, investigation), isAfter);
  const measured = sql`select survey.created_at, survey.id, ${bytesOfSurvey} as bytes from survey join current_member on
    ${asMember(surveys.investigationId, actor)} where ${range} and ${maySeeSurvey}
    order by survey.created_at, survey.id limit ${page.limit + 1}`;
  const rows = sql`min(${page.limit + 1}, 1 + max(1, (
    select count(*) from (select sum(bytes) over (order by created_at, id) as total from (${measured}))
    where total <= ${sql.raw(`${pageBytes}`)})))`;
  const [role, found] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        id: sql<string>`${surveys.id}`.as('survey_id'),
        createdAt: sql<number>`${surveys.createdAt}`.as('survey_created_at'),
        investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
        name: surveys.name,
        items: surveys.items,
        reminders: surveys.reminders,
        for: surveys.for,
        role: members.role,
        archivedAt: surveys.archivedAt,
        bytes: bytesOfSurvey.as('survey_bytes'),
      })
      .from(surveys)
      .innerJoin(members, asMember(surveys.investigationId, actor))
      .where(and(range, maySeeSurvey))
      .orderBy(surveys.createdAt, surveys.id)
      .limit(rows as unknown as number),
  ]);
  if (!role[0]) throw notFound('investigation');
  return found;
}

const bytesOfSurvey = sql<number>`(octet_length(survey.name) + octet_length(survey.items)
  + coalesce(octet_length(survey.reminders), 0) + coalesce(octet_length(survey."for"), 0) + ${sql.raw(`${listedBytes}`)})`;
