import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { outdate } from '../support/reminder-rows.ts';
import { newApp } from '../support/worker/apps.ts';
import { setClock } from '../support/worker/clock.ts';
import { carryOut } from '../support/worker/reminder-tables.ts';
import { daily, scheduled } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/** A name that an older release of the tz database had, and that no longer comes with the newest. */
const gone = 'US/Pacific-New';
const unknownZone = { event: 'zone.unknown', level: 'error', zone: gone };

async function moveTo(zone: string, { id }: Person) {
  await env.DB.prepare('update user set time_zone = ? where id = ?').bind(zone, id).run();
  await carryOut(outdate({ user: id }));
}

test('a download in an unknown zone begins the series on the date of the study', async () => {
  const study = await sleepStudy({ ...daily, type: 'fixed', recurrence: '0 9 * * 1' });
  await moveTo(gone, study.responder);
  // 00:30 of 2 March in Paris, and still 1 March in UTC.
  setClock('2027-03-01T23:30:00.000Z');
  const { send, lines } = newApp();
  const answer = await send(`/survey/${study.survey}/download`, {
    method: 'POST',
    token: study.responder.token,
  });
  expect(answer).toMatchObject({ status: 200, body: { downloadedAt: '2027-03-01T23:30:00.000Z' } });
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-03', dueAt: '2027-03-03T08:00:00.000Z', timeZone: 'Europe/Paris' },
  ]);
  expect(lines).toContainEqual(unknownZone);
});
