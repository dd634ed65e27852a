import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { countedD1 } from '../../../dev/counted-d1.ts';
import { sweep } from '../../../src/operations/sweep.ts';
import { openD1 } from '../../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import type { Study } from '../../support/studies.ts';
import { easyPush } from '../../support/worker/apps.ts';
import { jobsDone } from '../../support/worker/reminders.ts';

/** Sweeps over counted D1, and what the dearest of them cost. */
export function countedSweeps() {
  const { counts, database } = countedD1(env.DB);
  const services = {
    ...createServices(env),
    db: openD1(database),
    push: { ...createServices(env).push, ...easyPush },
  };
  const most = { rowsRead: 0, rowsWritten: 0, roundTrips: 0 };
  const once = async () => {
    const before = { ...counts };
    await sweep(services);
    for (const name of ['rowsRead', 'rowsWritten', 'roundTrips'] as const)
      most[name] = Math.max(most[name], counts[name] - before[name]);
  };
  return { most, once };
}

/** The study is deleted and not yet purged. */
export const isDeleted = (study: string) =>
  env.DB.prepare('select 1 as n from deleted_study where investigation_id = ?').bind(study).first('n');

/** Archives and deletes a study, which leaves no job for a later sweep. */
export async function removeStudy({ id, owner }: Study) {
  await owner.patch(`/investigation/${id}`, { status: 'archived' });
  expect((await owner.delete(`/investigation/${id}`)).status).toBe(204);
  await jobsDone();
}

/** Settled notifications of the last days for each member, with all that phones, nudges and answers add to them. */
export async function seedHistory({ id, survey }: Study, dates: number) {
  await env.DB.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
      insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state,
        deliveries, follow_ups, shown_at, opened_at, dismissed_at, answered_at)
      select user_id, ?2, 0, date('2027-02-20', '-' || i || ' days'), 0, 0, 0, 'UTC', 1, 'sent',
        '[["AaQAGnwAd+K7pApqYjPnlA","android",1250,"YBT+FibBWo6x06K14fDH1A"]]', '[]', 2, 3, 4, 5 from member, n
      where investigation_id = ?3`,
  )
    .bind(dates, survey, id)
    .run();
}
