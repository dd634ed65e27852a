import { describe, expect, test } from 'vitest';
import { newIdentifier, ProblemError, pages } from '../../client/client.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { clientOf, lost, refusal, send } from '../support/worker/client.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, tokenOf } from '../support/worker/world.ts';

describe('requests that are retried', () => {
  test('429 and 503 wait as long as Retry-After says, also for a PATCH that nothing was done of', async () => {
    const ada = await signUp('Ada');
    const { client, waits } = clientOf(ada.token, (request, n) =>
      n === 1 ? Promise.resolve(refusal(429, 'rate.limited', { 'retry-after': '7' })) : send(request),
    );
    const answer = await client.api.user[':id'].$patch({ param: { id: 'me' }, json: { name: 'Ada L.' } });
    expect((await answer.json()).name).toBe('Ada L.');
    expect(waits).toEqual([7000]);
  });

  test('a creation with an identifier, whose answer was lost, is made once', async () => {
    const study = await sleepStudy();
    const { client, sent } = clientOf(study.owner.token, async (request, n) => {
      const answer = await send(request);
      return n === 1 ? lost() : answer;
    });
    const identifier = newIdentifier();
    expect(identifier).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    const answer = await client.api.investigation[':id'].case.$post({
      param: { id: study.id },
      json: { label: 'N', identifier },
    });
    expect(answer.status).toBe(200);
    expect(sent).toHaveLength(2);
    expect((await study.owner.get(`/investigation/${study.id}/cases`)).body.cases).toHaveLength(1);
  });

  test('receipts, whose answer was lost, are told again', async () => {
    const { responder } = await sleepStudy();
    const { client, sent } = clientOf(responder.token, async (request, n) => {
      const answer = await send(request);
      return n === 1 ? lost() : answer;
    });
    const receipt = {
      notification: newIdentifier(),
      event: 'shown',
      at: '2027-03-01T08:00:00.000Z',
    } as const;
    const answer = await client.api.user.me.receipts.$post({ json: { receipts: [receipt] } });
    const { refused } = await answer.json();
    expect(refused.map(({ reason }) => reason)).toEqual(['unknown']);
    expect(sent).toHaveLength(2);
  });

  test('a creation without one, and a PATCH, are not repeated when the answer was lost or unclear', async () => {
    const study = await sleepStudy();
    for (const through of [
      lost,
      () => Promise.resolve(refusal(503, 'database.overloaded', { 'retry-after': '1' })),
    ]) {
      const { client, sent } = clientOf(study.owner.token, through);
      const create = client.api.investigation[':id'].case.$post({
        param: { id: study.id },
        json: { label: 'N' },
      });
      await expect(create).rejects.toThrow();
      const change = client.api.user[':id'].$patch({ param: { id: 'me' }, json: { name: 'A' } });
      await expect(change).rejects.toThrow();
      expect(sent).toHaveLength(2);
    }
  });

  test('a DELETE that was done, and whose answer was lost, is done', async () => {
    const ada = await signUp('Ada');
    const phone = await ada.post('/user/me/device', {
      platform: 'ios',
      token: 'cd'.repeat(32),
      timeZone: 'Europe/Paris',
    });
    const { client } = clientOf(ada.token, async (request, n) => {
      const answer = await send(request);
      return n === 1 ? lost() : answer;
    });
    const answer = await client.api.device[':id'].$delete({ param: { id: phone.body.identifier } });
    expect(answer.status).toBe(204);
  });

  test('it gives up after its tries, and at once when asked to wait for long', async () => {
    const { client, sent } = clientOf('x', lost, { retries: 3 });
    await expect(client.api.user[':id'].$get({ param: { id: 'me' } })).rejects.toThrow('network lost');
    expect(sent).toHaveLength(4);
    const patient = clientOf('x', async () => refusal(429, 'rate.limited', { 'retry-after': '3600' }));
    await expect(patient.client.fetch('/user/me')).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(patient.sent).toHaveLength(1);
  });

  test('a server that does not answer in time is given up', async () => {
    const hang = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      );
    const { client } = clientOf('x', hang, { timeoutMs: 30, retries: 1 });
    await expect(client.fetch('/user/me')).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

test('a problem is thrown with its code, its faults and the request to ask about', async () => {
  const ada = await signUp('Ada');
  const { client } = clientOf(ada.token, send);
  const change = client.api.user[':id'].$patch({ param: { id: 'me' }, json: { timeZone: 'Mars/Olympus' } });
  const problem = (await change.catch((error) => error)) as ProblemError;
  expect(problem).toBeInstanceOf(ProblemError);
  expect(problem).toMatchObject({ code: 'request.invalid', status: 400 });
  expect(problem.errors[0]?.pointer).toBe('/timeZone');
  expect(problem.requestId).toMatch(/^[0-9a-f]{32}$/);
  const full = clientOf(ada.token, () => {
    const document = { code: 'limit.reached', bound: 'MAX_STUDIES' };
    return Promise.resolve(Response.json(document, { status: 409 }));
  });
  await expect(full.client.fetch('/investigation')).rejects.toMatchObject({ bound: 'MAX_STUDIES' });
});

test('an expired token is asked for again, once', async () => {
  const ada = await signUp('Ada');
  const old = await tokenOf('ada', { expiresIn: -3600 });
  const refusals: boolean[] = [];
  const token = ({ refused }: { refused: boolean }) => {
    refusals.push(refused);
    return refused ? ada.token : old;
  };
  const { client } = clientOf('', send, { token });
  expect((await client.api.user[':id'].$get({ param: { id: 'me' } })).status).toBe(200);
  expect(refusals).toEqual([false, true]);
  const hopeless = clientOf(old, send);
  await expect(hopeless.client.fetch('/user/me')).rejects.toMatchObject({ code: 'auth.token-expired' });
  expect(hopeless.sent).toHaveLength(2);
});

test('an expired token is asked for again, also after an answer was lost', async () => {
  const ada = await signUp('Ada');
  const old = await tokenOf('ada', { expiresIn: -3600 });
  const token = ({ refused }: { refused: boolean }) => (refused ? ada.token : old);
  const { client, sent } = clientOf('', (request, n) => (n % 2 ? lost() : send(request)), { token });
  expect((await client.api.user[':id'].$get({ param: { id: 'me' } })).status).toBe(200);
  expect(sent).toHaveLength(4);
});

test('lists are read to their end, page by page', async () => {
  const study = await sleepStudy();
  for (let n = 0; n < 5; n++)
    await newResponse(study, study.responder, await newCase(study, study.owner, `${n}`));
  const { client, sent } = clientOf(study.owner.token, send);
  const labels: string[] = [];
  for await (const night of client.cases(study.id, { limit: '2' })) labels.push(night.label);
  expect(labels.toSorted()).toEqual(['0', '1', '2', '3', '4']);
  expect(sent).toHaveLength(3);
  for await (const response of client.responses(study.id)) expect(response.items).toEqual({ q1: 'well' });
});

describe('the reminders of a phone', () => {
  const due = Date.parse('2027-03-01T20:30:00.000Z');

  async function sentEvening() {
    setClock(startOfTests);
    const study = await sleepStudy({ ...daily, followUps: { every: 30, max: 2 } });
    const { responder } = study;
    const phone = await newPhone(responder);
    await pendingOf(responder);
    setClock(due);
    await ring(responder);
    return { study, responder, phone };
  }

  test('are foreseen, received and snoozed, through a network that loses the answers', async () => {
    const { study, responder, phone } = await sentEvening();
    const { client } = clientOf(responder.token, async (request, n) => {
      const answer = await send(request);
      return n % 2 ? lost() : answer;
    });
    const { user, notification, survey } = client.api;
    const me = { id: 'me' };
    const quietHours = { from: '23:00', to: '07:00' };
    await client.api.user.$post({ json: { name: 'Chidi', quietHours } });

    const agenda = await user[':id'].agenda.$get({ param: me, query: { device: phone.id } });
    const [tomorrow] = (await agenda.json()).occurrences;
    expect(tomorrow).toMatchObject({ on: '2027-03-02', subject: daily.notification.subject });

    const history = await user[':id'].notifications.$get({ param: me, query: {} });
    const sent = (await history.json()).notifications.find(({ state }) => state === 'sent');
    const param = { id: sent?.identifier ?? '' };
    expect((await (await notification[':id'].$get({ param })).json()).nextKind).toBe('nudge');
    const receipt = await notification[':id'].receipt.$post({ param, json: { event: 'opened' } });
    expect(receipt.status).toBe(204);
    const snoozed = await notification[':id'].snooze.$post({ param, json: { minutes: 10 } });
    expect((await snoozed.json()).nextAt).toBe('2027-03-01T20:40:00.000Z');

    const upcoming = await survey[':id'].reminders.upcoming.$get({
      param: { id: study.survey },
      query: { count: '1' },
    });
    const { occurrences, followUp } = await upcoming.json();
    expect(occurrences[0]?.nudges).toHaveLength(2);
    expect(followUp).toMatchObject({ kind: 'snooze', notification: param.id });

    const reminders = { type: 'rolling', recurrence: '0 9 * * *' } as const;
    const preview = await client.api.reminders.preview.$post({
      json: { reminders, timeZone: 'Europe/Paris', startsOn: '2027-03-01' },
    });
    expect((await preview.json()).occurrences).toHaveLength(10);
  });
});

test('the studies of a caller are read page by page, without telling how many there are', async () => {
  const ada = await signUp('Ada');
  for (const name of ['Sleep', 'Dreams', 'Naps']) await ada.post('/investigation', { name });
  const { client, sent } = clientOf(ada.token, send);
  const names: string[] = [];
  const ask = (cursor?: string) => client.api.investigation.$get({ query: { cursor, limit: '2' } });
  for await (const { investigations, ...rest } of pages(ask)) {
    names.push(...investigations.map(({ name }) => name));
    expect(Object.keys(rest)).toEqual(names.length < 3 ? ['next'] : []);
  }
  expect([names.toSorted(), sent.length]).toEqual([['Dreams', 'Naps', 'Sleep'], 2]);
});
