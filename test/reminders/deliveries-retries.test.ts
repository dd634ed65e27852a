import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Outcome, PushService, Services } from '../../src/services.ts';
import { deliver, plan } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import type { Phone } from '../support/phones.ts';
import { easyPush } from '../support/worker/apps.ts';
import { minutes, setClock } from '../support/worker/clock.ts';
import { daily, dropAlarm, history, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const throttled: Outcome = { state: 'retry', error: 'Throttled' };
const forbidden: Outcome = { state: 'misconfigured', error: 'ExpiredToken' };
const gone: Outcome = { state: 'gone', error: 'EndpointDisabled' };

/** Chidi's reminder is due on two phones, and the relay takes the push for the first of them only, or for none. */
async function halfDelivered(
  outcome: Outcome,
  meanwhile?: (user: Person, second: Phone) => Promise<unknown>,
  ofFirst: Outcome = { state: 'sent', messageId: 'm' },
) {
  const study = await sleepStudy({ ...daily, expiresAfter: 120 });
  const user = study.responder;
  const [first, second] = [await newPhone(user), await newPhone(user)];
  for (const member of [user, study.other]) await pendingOf(member);
  await dropAlarm(user);
  const tokens = new Map<string, string>();
  const { results } = await env.DB.prepare('select endpoint, token from device where user_id = ?')
    .bind(user.id)
    .all<{ endpoint: string; token: string }>();
  for (const { endpoint, token } of results) tokens.set(endpoint, token);

  const pushed: (string | undefined)[] = [];
  const lifetimes: number[] = [];
  let answer = outcome;
  const push = {
    ...easyPush,
    send: async ({ endpoint, ttlSeconds }) => {
      const token = tokens.get(endpoint);
      pushed.push(token);
      lifetimes.push(ttlSeconds);
      if (token === first.token) return ofFirst;
      await meanwhile?.(user, second);
      return answer;
    },
  } as PushService;
  const alarms = { arm: async () => {}, deliver: async () => {} };
  const services: Services = { ...createServices(env), push, alarms, log: () => {} };
  setClock(due);
  await deliver(services, user.id);
  expect(pushed.toSorted()).toEqual([first.token, second.token].toSorted());
  pushed.length = 0;
  return {
    user,
    pushed,
    lifetimes,
    second: second.token,
    isEnabled: async () => (await user.get(`/device/${second.id}`)).body.enabled,
    look: (at: number) => {
      setClock(at);
      return deliver(services, user.id);
    },
    replan: () => plan(services, [user.id]),
    relayWorks: () => {
      answer = { state: 'sent', messageId: 'n' };
    },
    states: async () => (await history(user)).map(({ on, state }) => `${on} ${state}`),
  };
}

test.each([throttled, forbidden])(
  'a push to be retried ($error) goes to no phone that has it, and the next notification is planned meanwhile',
  async (outcome) => {
    const { pushed, second, look, relayWorks, states } = await halfDelivered(outcome);
    expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
    await look(due + 10 * minutes);
    relayWorks();
    await look(due + 20 * minutes);
    await look(due + 30 * minutes);
    expect(pushed).toEqual([second, second]);
    expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
  },
);

test('a plan that is made again between two attempts knows which phones have it', async () => {
  const { user, pushed, second, look, replan, relayWorks, states } = await halfDelivered(throttled);
  expect((await user.patch('/user/me', { customRemindersTime: '21:40' })).status).toBe(200);
  await replan();
  relayWorks();
  await look(due + 10 * minutes);
  expect(pushed).toEqual([second]);
  expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
});

test('attempts go on until the reminder expires, and no push outlives it', async () => {
  const { lifetimes, look, states } = await halfDelivered(throttled);
  const expiresAt = due + 120 * minutes;
  expect(await look(expiresAt - 1000)).toBe(expiresAt);
  expect(lifetimes).toEqual([7200, 7200, 1]);
  await look(expiresAt);
  expect(lifetimes).toHaveLength(3);
  expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
});

test('a push that no phone has stays the one pending notification, until it expires', async () => {
  const { lifetimes, look, states } = await halfDelivered(throttled, undefined, throttled);
  expect(await states()).toEqual(['2027-03-01 scheduled']);
  await look(due + 10 * minutes);
  expect(await states()).toEqual(['2027-03-01 scheduled']);
  const expiresAt = due + 120 * minutes;
  expect(await look(expiresAt - 1000)).toBe(expiresAt);
  expect(Math.min(...lifetimes)).toBe(1);
  await look(expiresAt);
  expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 failed']);
});

test('a phone that is gone is disabled', async () => {
  const { isEnabled, states } = await halfDelivered(gone);
  expect(await isEnabled()).toBe(false);
  expect(await states()).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
});

test('a phone that is registered again while its push fails stays enabled', async () => {
  const { isEnabled } = await halfDelivered(gone, (user, { id }) => {
    setClock(due + 1000);
    return user.patch(`/device/${id}`, { timeZone: 'Europe/Berlin' });
  });
  expect(await isEnabled()).toBe(true);
});
