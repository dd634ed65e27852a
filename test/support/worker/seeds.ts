import { env } from 'cloudflare:workers';
import type { Study } from '../studies.ts';
import { seedSilent } from './reminder-tables.ts';

let seeds = 0;

/** The beginning of the identifiers of one seed; the n-th of it sorts like n. */
const newPrefix = () => (++seeds).toString(16).padStart(8, '0');

const identifiers = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => prefix + n.toString(16).padStart(24, '0'));

const identifierOf = (prefix: string) => `'${prefix}' || printf('%024x', n)`;

/** Writes `count` cases past the front door, one a second. */
export async function seedCases(study: Study, count: number, { by = study.owner.id } = {}) {
  const prefix = newPrefix();
  await env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < ?1 - 1)
    insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
    select ${identifierOf(prefix)}, ?2, ?3, 'Night ' || n, 0, '{}', 1800000000000 + n * 1000, 1800000000000 + n * 1000, ${identifierOf(`eeeeeeee`)}
    from counter`,
  )
    .bind(count, study.id, by)
    .run();
  return identifiers(prefix, count);
}

/** Writes `count` responses of one person for one case past the front door, one a second. */
export async function seedResponses(
  study: Study,
  count: number,
  { by = study.responder.id, of = 'ca5e'.padEnd(32, '0'), answer = 'well ' } = {},
) {
  const prefix = newPrefix();
  await env.DB.batch([
    env.DB.prepare(
      `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < ?1 - 1)
      insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
      select ${identifierOf(prefix)}, ?2, ?3, ?4, ?5, '{"q1":"' || ?6 || n || '"}', '{}', 1800000000000 + n * 1000, 1800000000000 + n * 1000, ${identifierOf(`eeeeeeee`)}
      from counter`,
    ).bind(count, study.id, study.survey, of, by, answer),
    env.DB.prepare(
      `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
      select id, 1, revision_id, responder_id, created_at, items, reasons from response
      where investigation_id = ?1 and responder_id = ?2 and not exists (select 1 from response_revision v where v.response_id = response.id)`,
    ).bind(study.id, by),
    env.DB.prepare(
      'update investigation set largest_response = max(largest_response, ?2) where id = ?1',
    ).bind(study.id, answer.length + 20),
  ]);
  return identifiers(prefix, count);
}

/** Counts of a participant that no notification has, that they are silent, and a day of theirs, past the front door. */
export async function seedCompliance(study: Study, user = study.responder.id) {
  await env.DB.batch([
    env.DB.prepare('insert into participant_compliance values (?1, ?2, ?3, ?4)').bind(
      user,
      study.survey,
      '2026-01',
      '[["2026-01-14","sent",0,0,0]]',
    ),
    env.DB.prepare("insert into survey_compliance values (?1, '', '2026-01-14', 'sent', 1, 0, 0, 0, 0)").bind(
      study.survey,
    ),
    env.DB.prepare("insert into access_day values (?1, ?2, '2026-01-14', 1768348800000)").bind(
      study.id,
      user,
    ),
  ]);
  await seedSilent(study.survey, [user]);
}
