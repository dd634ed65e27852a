import { describe, expect, test } from 'vitest';
import { firstLaunch } from '../../examples/first-launch.ts';
import { correct, type Receipt, refreshCopy, sendReceipts, snooze } from '../../examples/notifications.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { clientOf, lost, send } from '../support/worker/client.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, stranger } from '../support/worker/world.ts';

test('the first launch of an app, through a network that loses two answers, answers once', async () => {
  const study = await sleepStudy();
  const newcomer = await stranger('Newcomer');
  await study.owner.post(`/investigation/${study.id}/member`, { email: newcomer.email, role: 'responder' });
  const { client } = clientOf(
    newcomer.token,
    async (request, n) => {
      const answer = await send(request);
      return n === 6 || n === 8 ? lost() : answer;
    },
    { retries: 0 },
  );
  const phone = { platform: 'android', token: 'first-launch-phone' };
  const pauses: number[] = [];
  const { answered } = await firstLaunch(client, phone, { sleep: async (ms) => pauses.push(ms) });
  const { body } = await study.owner.get(`/investigation/${study.id}/responses`);
  expect(body.responses.map(({ identifier }: { identifier: string }) => identifier)).toEqual([answered]);
  expect((await newcomer.get('/user/me')).body.devices).toHaveLength(1);
  expect(pauses).toEqual([500, 1000]);
});

describe('an app with notifications', () => {
  const due = Date.parse('2027-03-01T20:30:00.000Z');

  async function evening() {
    setClock(startOfTests);
    const study = await sleepStudy({ ...daily, expiresAfter: 60 });
    const { responder } = study;
    const phone = await newPhone(responder);
    await pendingOf(responder);
    return { study, responder, phone };
  }

  test('keeps its copy of the agenda until the agenda changes', async () => {
    const { responder, phone } = await evening();
    const { client } = clientOf(responder.token, send);
    const first = await refreshCopy(client, phone.id);
    expect(first.occurrences[0]?.on).toBe('2027-03-01');
    expect(await refreshCopy(client, phone.id, first)).toBe(first);
    await responder.patch('/user/me', { customRemindersTime: '08:00' });
    const second = await refreshCopy(client, phone.id, first);
    expect(second.occurrences[0]?.dueAt).toBe('2027-03-02T07:00:00.000Z');
  });

  test('sends receipts once the network is back, and asks for another push until it is over', async () => {
    const { study, responder } = await evening();
    setClock(due);
    await ring(responder);
    const sent = (await history(responder)).find(({ state }) => state === 'sent');
    const notification: string = sent.identifier;
    const receipt = (event: Receipt['event']) => ({ notification, event, at: new Date(due).toISOString() });
    const kept = [receipt('shown'), receipt('opened')];
    const offline = clientOf(responder.token, lost, { retries: 0 });
    await expect(sendReceipts(offline.client, kept)).rejects.toThrow('network lost');
    expect(kept).toHaveLength(2);
    const { client } = clientOf(responder.token, send);
    await sendReceipts(client, kept);
    expect(kept).toEqual([]);
    expect((await responder.get(`/notification/${notification}`)).body).toMatchObject({
      shownAt: '2027-03-01T20:30:00.000Z',
      openedAt: '2027-03-01T20:30:00.000Z',
    });

    expect(await snooze(client, notification, 30)).toEqual({ nextAt: '2027-03-01T21:00:00.000Z' });
    expect(await snooze(client, notification, 90)).toEqual({ over: 'notification.expired' });
    await newResponse(study, responder, await newCase(study, responder));
    expect(await snooze(client, notification, 30)).toEqual({ over: 'notification.answered' });
  });

  test('merges its correction of an answer with that of another device, and respects a lock', async () => {
    const study = await sleepStudy();
    const { responder } = study;
    const response = await newResponse(study, responder, await newCase(study, responder));
    const path = `/response/${response}`;
    let read = 0;
    const { client } = clientOf(responder.token, async (request) => {
      const answer = await send(request);
      if (request.method === 'GET' && ++read === 1) await responder.patch(path, { items: { q2: '7:30' } });
      return answer;
    });
    const seen: object[] = [];
    const merge = (items: Record<string, string>) => {
      seen.push(items);
      return { q1: 'badly' };
    };
    expect(await correct(client, response, merge)).toBe(true);
    expect(seen).toEqual([{ q1: 'well' }, { q1: 'well', q2: '7:30' }]);
    expect((await responder.get(path)).body.items).toEqual({ q1: 'badly', q2: '7:30' });

    const lock = { responses: [{ identifier: response }], status: 'locked' };
    await study.owner.post(`/investigation/${study.id}/lock-items`, lock);
    expect(await correct(client, response, merge)).toBe(false);
    expect((await responder.get(path)).body.items.q1).toBe('badly');
  });
});
