import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/sweep.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { replanChunk, replan as replanJob } from '../../src/reminders/replan.ts';
import type { Services } from '../../src/services.ts';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { newApp, wrappedDb } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { daily, dueAt, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * A plan is read, and before it is written everything changes back: rows that it takes away are needed again. Its process
 * dies after that write, so that it repairs nothing.
 */

const services = { ...createServices(env), log: () => {} };

/** Changes a study, and loses the work that follows. */
async function change(study: Study, fields: object) {
  const { send } = newApp({ defer: () => {} });
  const answer = await send(`/investigation/${study.id}`, {
    method: 'PATCH',
    token: study.owner.token,
    body: fields,
  });
  expect(answer.status, answer.text).toBe(200);
}

const replan = (user: Person, db = services.db) => replanChunk({ ...services, db }, { users: [user.id] });

type Work = (db: Services['db']) => Promise<unknown>;

/** The work reads, `meanwhile` happens, and the process dies once the work has written. */
async function writeLate(work: Work, meanwhile: () => Promise<unknown>) {
  let written = false;
  const db = wrappedDb(async (queries, answer) => {
    if (written) throw new Error('killed by the test');
    if (queries.some((query) => /^(?:insert|update|delete)/i.test(query))) {
      written = true;
      await meanwhile();
    }
    return answer();
  });
  await expect(work(db)).rejects.toThrow();
  expect(written).toBe(true);
}

const inParis = '2027-03-01T20:30:00.000Z';

test('plans of a return from the archive stay, whatever a plan of the archive takes away', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await dueAt(chidi, inParis);
  await change(study, { status: 'archived' });
  await writeLate(
    (db) => replan(chidi, db),
    async () => {
      await replan(chidi);
      expect(await scheduled(chidi)).toEqual([]);
      await change(study, { status: 'active' });
      await replan(chidi);
      await dueAt(chidi, inParis);
    },
  );
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: inParis }]);
});

test('a date that is the next one again stays, whatever a plan of an earlier start takes away', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await pendingOf(chidi);
  const [early, late] = [{ startsOn: '2027-03-01' }, { startsOn: '2027-03-08' }];
  await change(study, late);
  await replan(chidi);
  const moved = '2027-03-08T20:30:00.000Z';
  await dueAt(chidi, moved);
  await change(study, early);
  await writeLate(
    (db) => replan(chidi, db),
    async () => {
      await change(study, late);
      await replan(chidi);
      await dueAt(chidi, moved);
    },
  );
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: moved }]);
});

test('the job of a plan that came too late stays in the outbox, and its plan is made by the sweep', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await dueAt(chidi, inParis);
  for (const table of ['replan', 'scheduled_notification']) await env.DB.exec(`delete from ${table}`);
  const job = { id: '0'.repeat(32), user: chidi.id, investigation: null, after: '' };
  await env.DB.prepare('insert into replan (id, user_id, touched_at) values (?, ?, ?)')
    .bind(job.id, chidi.id, Date.now())
    .run();
  await writeLate(
    (db) => replanJob({ ...services, db }, job),
    () => env.DB.prepare('update user set plan_stamp = plan_stamp + 1 where id = ?').bind(chidi.id).run(),
  );
  expect(await scheduled(chidi)).toEqual([]);
  later(2 * minutes);
  await sweep(services);
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: inParis }]);
  expect(await env.DB.prepare('select count(*) as n from replan').first('n')).toBe(0);
});
