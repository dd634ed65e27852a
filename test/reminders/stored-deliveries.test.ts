import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

const stored = (user: Person) =>
  env.DB.prepare("select * from scheduled_notification where user_id = ? and state = 'sent'")
    .bind(user.id)
    .first<Record<string, string | number | null>>();

async function seenBy(user: Person) {
  const lines = (await user.get('/user/me/export')).text.split('\n');
  return {
    history: await history(user),
    exported: lines.filter((line) => line.includes('"notification"') && line.includes('"sent"')),
  };
}

test('a settled notification is stored in few bytes', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const user = study.responder;
  for (const zone of ['Europe/Paris', 'Europe/Paris']) await newPhone(user, zone);
  await pendingOf(user);
  setClock(due);
  await ring(user);
  const row = await stored(user);
  expect(row).toMatchObject({ planned_from: null, due_at: due });
  expect(String(row?.deliveries).length).toBeLessThan(2 * 75);

  const seen = await seenBy(user);
  const [, sent] = seen.history;
  expect(sent.deliveries).toHaveLength(2);
  expect(sent.deliveries[0]).toMatchObject({
    platform: 'android',
    messageId: expect.stringMatching(/^.{36}$/),
  });
  setClock(due + minutes);
  const path = `/notification/${sent.identifier}/receipt`;
  expectProblem(
    await user.post(path, { event: 'shown', at: '2027-03-01T20:29:00.000Z' }),
    'request.invalid',
    ['/at'],
  );
  expect((await user.post(path, { event: 'shown' })).status).toBe(204);
});

test('so is a nudge that is over', async () => {
  setClock(startOfTests);
  const study = await sleepStudy({ ...daily, followUps: { every: 30, max: 2 } });
  const user = study.responder;
  await newPhone(user, 'Europe/Paris');
  await pendingOf(user);
  for (const late of [0, 30]) {
    setClock(due + late * minutes);
    await ring(user);
  }
  const row = await stored(user);
  expect(String(row?.follow_ups).length).toBeLessThan(190);

  const seen = await seenBy(user);
  const [, sent] = seen.history;
  expect(sent.followUps).toEqual([
    {
      ...{ kind: 'nudge', dueAt: '2027-03-01T21:00:00.000Z', at: '2027-03-01T21:00:00.000Z', state: 'sent' },
      attempts: 1,
      deliveries: [
        {
          device: sent.deliveries[0].device,
          platform: 'android',
          at: '2027-03-01T21:00:00.000Z',
          messageId: expect.stringMatching(/^.{36}$/),
        },
      ],
    },
  ]);
});
