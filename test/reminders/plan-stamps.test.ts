import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

const stampOf = (table: 'user' | 'survey', id: string) =>
  env.DB.prepare(`select plan_stamp as n from ${table} where id = ?`).bind(id).first<number>('n');

test('a change that moves a plan raises a stamp, so that no earlier plan is stored', async () => {
  const study = await sleepStudy(daily);
  const { responder, owner, survey } = study;
  const user = (await stampOf('user', responder.id)) ?? 0;
  await responder.patch('/user/me', { customRemindersTime: '20:00' });
  expect(await stampOf('user', responder.id)).toBe(user + 1);

  const before = (await stampOf('survey', survey)) ?? 0;
  await owner.patch(`/survey/${survey}`, { reminders: { ...daily, recurrence: '0 20 * * *' } });
  expect(await stampOf('survey', survey)).toBe(before + 1);
  await owner.patch(`/investigation/${study.id}`, { startsOn: '2027-02-01' });
  expect(await stampOf('survey', survey)).toBe(before + 2);
});
