import { env } from 'cloudflare:workers';
import type { Study } from '../../support/studies.ts';

/** Members who signed up long ago, written straight into the database. */
export async function addMembers({ id: study }: Study, count: number) {
  const ids = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
    fresh(id) as (select printf('%s%08x', '${study.slice(0, 24)}', i) from n)`;
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
