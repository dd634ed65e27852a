import { expect, test } from 'vitest';
import type { Client } from '../../client/client.ts';
import { firstLaunch } from '../../examples/first-launch.ts';
import { send } from '../support/worker/client.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, stranger } from '../support/worker/world.ts';
import { createClient, newIdentifier, ProblemError, pages } from './released/1.0.0/client.js';

/* A client of 1.0.0, as it was packed, works with the service of this commit. `compatible.ts` compares the types. */

/** The packed client of somebody. The service refuses every fifth request as busy, which the client repeats. */
function clientOf(token: string) {
  let sent = 0;
  return createClient({
    baseUrl: 'https://fieldbell.localhost',
    token: () => token,
    fetch: (input) => (++sent % 5 === 0 ? Promise.resolve(busy()) : send(input as Request)),
    sleep: async () => {},
  });
}

const busy = () =>
  Response.json(
    { code: 'rate.limited', detail: 'busy', status: 429 },
    { status: 429, headers: { 'retry-after': '1' } },
  );

const codeOf = (error: unknown) => (error instanceof ProblemError ? error.code : error);

test('runs a study: people, cases, answers, locks, the log, the feed, and problems by their code', async () => {
  const dana = await stranger('Dana');
  const { api, cases, responses, changes, fetch } = clientOf(dana.token);
  const me = await (await api.user.$post({ json: { name: 'Dana', timeZone: 'Europe/Paris' } })).json();
  const study = await (
    await api.investigation.$post({ json: { name: 'Sleep', startsOn: '2027-03-01' } })
  ).json();
  const param = { id: study.identifier };
  const inStudy = api.investigation[':id'];
  const survey = await (
    await inStudy.survey.$post({
      param,
      json: { name: 'Diary', items: [{ identifier: 'q1', label: 'Rested?' }] },
    })
  ).json();
  const nights = ['Night 1', 'Night 2', 'Night 3'].map((label) => ({ label, identifier: newIdentifier() }));
  for (const json of nights) await inStudy.case.$post({ param, json });
  const [night = ''] = nights.map(({ identifier }) => identifier);
  const answer = await (
    await api.survey[':id'].response.$post({
      param: { id: survey.identifier },
      json: { case: night, items: { q1: 'yes' }, identifier: newIdentifier() },
    })
  ).json();

  const labels: string[] = [];
  for await (const { label } of cases(study.identifier, { limit: '2' })) labels.push(label);
  expect(labels.toSorted()).toEqual(['Night 1', 'Night 2', 'Night 3']);
  for await (const { items, name } of responses(study.identifier))
    expect([items, name]).toEqual([{ q1: 'yes' }, 'Dana']);
  const members: string[] = [];
  for await (const page of pages((cursor) => inStudy.members.$get({ param, query: { cursor } })))
    members.push(...page.members.map(({ user }) => user));
  expect(members).toEqual([me.uri]);

  const lock = { cases: [{ identifier: night }], status: 'locked' as const, reason: 'checked' };
  expect((await inStudy['lock-items'].$post({ param, json: lock })).status).toBe(204);
  const edit = api.case[':id'].$patch({ param: { id: night }, json: { label: 'x' } });
  expect(await edit.catch(codeOf)).toBe('item.locked');
  const { activities } = await (await inStudy.activity.$get({ param, query: {} })).json();
  expect(activities.find(({ action }) => action === 'items.locked')).toMatchObject({ reason: 'checked' });
  expect(await (await inStudy.activity.verify.$get({ param, query: {} })).json()).toMatchObject({
    valid: true,
  });

  const state = new Map<string, string>();
  for await (const page of changes(study.identifier, { limit: 2 }))
    for (const change of page.changes) state.set(change.identifier, change.state);
  expect(state.get(night)).toBe('locked');
  expect(state.get(answer.uri.replace(/^.*\//, ''))).toBe('active');

  const stale = { headers: { 'if-match': '"stale"' } };
  const rename = api.survey[':id'].$patch({ param: { id: survey.identifier }, json: { name: 'Log' } }, stale);
  expect(await rename.catch(codeOf)).toBe('revision.stale');
  const csv = await fetch(`/investigation/${study.identifier}/cases`, { headers: { accept: 'text/csv' } });
  expect((await csv.text()).split('\r\n').filter(Boolean)).toHaveLength(4);
});

test('takes part: a first launch, an agenda, a reminder with receipts, and “Later”', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { responder } = study;
  await newPhone(responder);
  const { api } = clientOf(responder.token);
  const self = { id: 'me' };
  await pendingOf(responder);
  const agenda = await (await api.user[':id'].agenda.$get({ param: self, query: {} })).json();
  expect(agenda.occurrences.length).toBeGreaterThan(0);
  setClock(Date.parse(agenda.occurrences[0]?.dueAt ?? ''));
  await ring(responder);
  const id: string = (await history(responder)).find(({ state }) => state === 'sent').identifier;
  await api.notification[':id'].receipt.$post({ param: { id }, json: { event: 'opened' } });
  const { nextAt } = await (
    await api.notification[':id'].snooze.$post({ param: { id }, json: { minutes: 30 } })
  ).json();
  expect(Date.parse(nextAt)).toBeGreaterThan(Date.parse(agenda.occurrences[0]?.dueAt ?? ''));
  const seen = await (await api.user[':id'].notifications.$get({ param: self, query: {} })).json();
  expect(seen.notifications.find(({ identifier }) => identifier === id)?.openedAt).toBeDefined();
});

test('serves the examples that are written for today’s client', async () => {
  const study = await sleepStudy();
  const newcomer = await stranger('Newcomer');
  await study.owner.post(`/investigation/${study.id}/member`, { email: newcomer.email, role: 'responder' });
  const client = clientOf(newcomer.token) as unknown as Client;
  const { answered } = await firstLaunch(client, { platform: 'android', token: 'released-phone' });
  expect((await newcomer.get(`/response/${answered}`)).status).toBe(200);
});
