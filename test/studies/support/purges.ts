import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { sweep } from '../../../src/operations/jobs.ts';
import { openD1 } from '../../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import { countedD1 } from '../../../tools/database/counted-d1.ts';
import type { Study } from '../../support/studies.ts';
import { easyPush } from '../../support/worker/apps.ts';
import { days } from '../../support/worker/clock.ts';
import { seedPast } from '../../support/worker/reminder-tables.ts';
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
  const { results } = await env.DB.prepare('select user_id as user from member where investigation_id = ?')
    .bind(id)
    .all<{ user: string }>();
  const device = '01a4001a7c0077e2bba40e6a6233e794';
  const messageId = '6014fe16-26c1-5a8e-b1d3-a2b5e1f0c7d4';
  const newest = Date.parse('2027-02-20T00:00:00.000Z');
  const noticed = { shownAt: 2, openedAt: 3, dismissedAt: 4, answeredAt: 5 };
  await seedPast(
    results.flatMap(({ user }) =>
      Array.from({ length: dates }, (_, n) => {
        const on = new Date(newest - n * days).toISOString().slice(0, 10);
        const deliveries = [{ device, platform: 'android', at: `${on}T20:30:01.250Z`, messageId }];
        return { user, survey, on, state: 'sent', deliveries, followUps: [], ...noticed } as const;
      }),
    ),
  );
}
