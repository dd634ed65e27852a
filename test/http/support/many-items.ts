import type { World } from '../../support/people.ts';
import { newCase, newStudy, type Study } from '../../support/studies.ts';

const numbers = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
const id = (prefix: string) => `'${prefix}' || substr(?2, 13, 12) || printf('%016x', n)`;

/** The service in this process, as far as its database is written. */
interface Local {
  world: World;
  client: { execute(statement: { sql: string; values: readonly unknown[] }): Promise<unknown> };
}

/** A study whose responder gave so many responses, and whose owner made so many cases, past the front door. */
export async function studyWith(
  { world, client }: Local,
  { cases, responses, of }: { cases: number; responses: number; of: string },
): Promise<Study & { item: string }> {
  const study = await newStudy(world, { of });
  const item = await newCase(study, study.owner);
  if (cases > 0)
    await client.execute({
      sql: `${numbers} insert into study_case
        (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
        select ${id('ca5e')}, ?2, ?3, 'Night ' || n, 0, '{}', n, n, ${id('0001')} from counter`,
      values: [cases, study.id, study.owner.id],
    });
  if (responses > 0)
    await client.execute({
      sql: `${numbers} insert into response
        (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
        select ${id('4e50')}, ?2, ?3, ?4, ?5, '{"q1":"well"}', '{}', n, n, ${id('0002')} from counter`,
      values: [responses, study.id, study.survey, item, study.responder.id],
    });
  return { ...study, item };
}
