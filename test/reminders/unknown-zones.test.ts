import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry } from '../../src/services.ts';
import { plan } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { outdate } from '../support/reminder-rows.ts';
import { newApp } from '../support/worker/apps.ts';
import { setClock } from '../support/worker/clock.ts';
import { carryOut, clearReminders } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

/** A name that an older release of the tz database had, and that no longer comes with the newest. */
const gone = 'US/Pacific-New';
const unknownZone = { event: 'zone.unknown', level: 'error', zone: gone };

async function moveTo(zone: string, { id }: Person) {
  await env.DB.prepare('update user set time_zone = ? where id = ?').bind(zone, id).run();
  await carryOut(outdate({ user: id }));
}

test('of a chunk, who is in an unknown zone is planned in that of the study, and everyone else in their own', async () => {
  const study = await sleepStudy(daily);
  const emil = await signUp('Emil');
  await study.owner.post(`/investigation/${study.id}/member`, { user: emil.id, role: 'responder' });
  const members = [emil, study.responder, study.other];
  for (const member of members) await pendingOf(member);
  await clearReminders();
  await moveTo(gone, emil);
  await moveTo('Asia/Tokyo', study.other);
  const lines: LogEntry[] = [];
  const services = { ...createServices(env), log: (line: LogEntry) => lines.push(line) };
  await plan(
    services,
    members.map(({ id }) => id),
  );

  const paris = { dueAt: '2027-03-01T20:30:00.000Z', timeZone: 'Europe/Paris' };
  for (const member of [emil, study.responder]) expect(await scheduled(member)).toMatchObject([paris]);
  expect(await scheduled(study.other)).toMatchObject([
    { dueAt: '2027-03-01T12:30:00.000Z', timeZone: 'Asia/Tokyo' },
  ]);
  expect(lines).toEqual([unknownZone]);
});

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
