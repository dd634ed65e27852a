import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { servicesOf } from '../../src/platform/cloudflare/services.ts';
import type { PushMessage } from '../../src/services.ts';
import { plan } from '../support/engine.ts';
import { addMembers, addPhones } from '../support/worker/bulk.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { statesOf } from '../support/worker/reminder-tables.ts';
import { daily, tick } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

afterEach(() => {
  vi.restoreAllMocks();
});

const alarmOf = (user: string) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user));

/** Members with a phone each who are due at once. `during` happens before the relay answers. */
async function crowd(count: number) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await addMembers(study, count);
  await addPhones(study);
  const { results } = await env.DB.prepare(
    "select u.id from user u join member m on m.user_id = u.id where u.issuer = 'bulk' and m.investigation_id = ?",
  )
    .bind(study.id)
    .all<{ id: string }>();
  const users = results.map(({ id }) => id);
  await plan(servicesOf(env), users);
  const pushes: PushMessage[] = [];
  let during: ((endpoint: string) => unknown) | undefined;
  vi.spyOn(servicesOf(env).push, 'send').mockImplementation(async (message) => {
    pushes.push(message);
    await during?.(message.endpoint);
    return { state: 'sent', messageId: `message ${pushes.length}` };
  });
  setClock(due);
  return {
    users,
    pushes: () => pushes.filter(({ endpoint }) => users.some((id) => endpoint.endsWith(id))),
    whileTheyArePushed: (work: (endpoint: string) => unknown) => {
      during = work;
    },
  };
}

const allSent = (count: number) => ({ '2027-03-01 sent': count, '2027-03-02 scheduled': count });

test('64 people whose alarms are lost get one push each from the sweep', async () => {
  const { users, pushes } = await crowd(64);
  for (const user of users)
    await runInDurableObject(alarmOf(user), (_, state) => state.storage.deleteAlarm());
  for (let n = 0; n < 3; n++) {
    later(minutes);
    await tick();
  }
  expect(pushes()).toHaveLength(64);
  expect(new Set(pushes().map(({ endpoint }) => endpoint)).size).toBe(64);
  expect(await statesOf(users)).toEqual(allSent(64));
});

test('when half of the objects end while they push, nobody is left out and nobody pushed to more than twice, under one collapse id', async () => {
  const { users, pushes, whileTheyArePushed } = await crowd(16);
  const dying = new Set(users.filter((_, n) => n % 2 === 0));
  whileTheyArePushed(async (endpoint) => {
    const user = users.find((id) => endpoint.endsWith(id)) ?? '';
    if (!dying.delete(user)) return;
    await runInDurableObject(alarmOf(user), (_, state) => state.abort('ended by the test')).catch(() => {});
  });
  await Promise.all(users.map((user) => runDurableObjectAlarm(alarmOf(user)).catch(() => {})));
  for (let n = 0; n < 40; n++) {
    later(minutes);
    await tick();
  }
  const each = Map.groupBy(pushes(), ({ endpoint }) => endpoint);
  expect(each.size).toBe(16);
  for (const some of each.values()) {
    expect(some.length).toBeLessThanOrEqual(2);
    expect(new Set(some.map(({ collapseId }) => collapseId)).size).toBe(1);
  }
  expect(await statesOf(users)).toEqual(allSent(16));
});
