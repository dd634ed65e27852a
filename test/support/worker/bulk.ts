import { env } from 'cloudflare:workers';
import { eventually } from '../eventually.ts';
import type { Study } from '../studies.ts';
import { waitingWork } from './reminder-tables.ts';

/** The identifiers of the members of {@link addMembers}, each of another beginning. */
export const bulkMember = (study: string, n: number) =>
  study.slice(0, 18) + n.toString(16).padStart(6, '0') + n.toString(16).padStart(8, '0');

/** Members who signed up long ago, written straight into the database, when the study's work is over: it would find them. */
export async function addMembers({ id: study }: Study, count: number) {
  await eventually('no work of the study', async () => (await waitingWork(study)) === 0);
  const ids = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
    fresh(id) as (select printf('%s%06x%08x', '${study.slice(0, 18)}', i, i) from n)`;
  await env.DB.batch([
    env.DB.prepare(
      `${ids} insert into user (id, issuer, subject, name, time_zone, created_at)
        select id, 'bulk', id, 'Member', 'Europe/Paris', 0 from fresh`,
    ),
    env.DB.prepare(
      `${ids} insert into member (investigation_id, user_id, role, created_at)
        select '${study}', id, 'responder', 0 from fresh`,
    ),
  ]);
}

/** A phone for each of these members, which no relay knows. */
export async function addPhones({ id: study }: Pick<Study, 'id'>) {
  await env.DB.prepare(
    `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
      select u.id, u.id, 'android', u.id, 'endpoint-of-' || u.id, 'Europe/Paris', 0, 0, 0
      from user u join member m on m.user_id = u.id and m.investigation_id = ? where u.issuer = 'bulk'`,
  )
    .bind(study)
    .run();
}

/** Surveys with daily reminders of 20:00 or some minutes later, written straight into the database. */
export async function addSurveys({ id: study }: Pick<Study, 'id'>, count: number, reminders: object) {
  await env.DB.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
      insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at, revision_id, created_hash)
      select printf('%s%08x', substr(?2, 9), i), ?2, 'Survey ' || i, '[]',
        json_set(?3, '$.recurrence', (i % 60) || ' 20 * * *'), 0, i, '', '' from n`,
  )
    .bind(count, study, JSON.stringify(reminders))
    .run();
}
