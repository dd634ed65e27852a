import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { minutesOf, plan } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { outdate, texts } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { newApp, wrappedDb } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { carryOut, clearReminders } from '../support/worker/reminder-tables.ts';
import { daily, dueAt, jobsDone, pendingOf, scheduled, waitingJobs } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * A plan is read, and before it is written everything changes back. Its process dies after that write, so that it repairs
 * nothing, and so does each process that changes something: the minutes that follow make the plan.
 */

const services = { ...createServices(env), log: () => {} };
const minute = minutesOf();

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

/** The user's plan is read, `meanwhile` happens, and the process dies once the plan is written. */
async function planLate({ id }: Person, meanwhile: () => Promise<unknown>) {
  let written = false;
  const db = wrappedDb(async (queries, answer) => {
    if (written) throw new Error('killed by the test');
    if (queries.some((query) => texts.plan.test(query))) {
      written = true;
      await meanwhile();
    }
    return answer();
  });
  const alarms = { arm: async () => {}, deliver: async () => {} };
  await plan({ ...services, db, alarms }, [id]);
  expect(written).toBe(true);
}

async function pass(count = 3) {
  for (let n = 0; n < count; n++) {
    later(minutes);
    await minute(services);
  }
  expect(await waitingJobs()).toBe(0);
}

const inParis = '2027-03-01T20:30:00.000Z';

test('plans of a return from the archive are made, whatever a plan of the archive takes away', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await dueAt(chidi, inParis);
  await jobsDone();
  await change(study, { status: 'archived' });
  await planLate(chidi, () => change(study, { status: 'active' }));
  await pass();
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: inParis }]);
});

test('a date that is the next one again is planned, whatever a plan of an earlier start takes away', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await pendingOf(chidi);
  await jobsDone();
  const [early, late] = [{ startsOn: '2027-03-01' }, { startsOn: '2027-03-08' }];
  await change(study, late);
  await pass();
  const moved = '2027-03-08T20:30:00.000Z';
  await dueAt(chidi, moved);
  await change(study, early);
  await planLate(chidi, () => change(study, late));
  await pass();
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: moved }]);
});

test('a plan that came too late is made again by the next minutes', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await dueAt(chidi, inParis);
  await jobsDone();
  await clearReminders();
  await planLate(chidi, () => carryOut(outdate({ user: chidi.id })));
  expect(await scheduled(chidi)).toEqual([]);
  await pass();
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: inParis }]);
});
