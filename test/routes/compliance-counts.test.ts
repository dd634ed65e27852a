import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { setClock } from './support/clock.ts';
import { daily, pendingOf, ring } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';

const rowsOf = async (query: string, ...values: unknown[]) =>
  (await env.DB.prepare(query).bind(...values).all()).results;

test('what is settled is counted once, with the row and with the study', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  for (const day of ['01', '02', '03']) {
    setClock(`2027-03-${day}T20:30:00.000Z`);
    await ring(study.responder);
  }
  expect(await rowsOf('select occurs_on, state, tally, apart from scheduled_notification where user_id = ?', study.responder.id)).toEqual([]);
});
