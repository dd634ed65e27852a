import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { exportKinds } from '../../src/people/export-kinds.ts';
import { linesOf } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf, ring } from '../support/worker/reminders.ts';
import { seedCompliance, seedResponses } from '../support/worker/seeds.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines of any shape
type Line = any;

async function exported(of: Person) {
  const answer = await of.get('/user/me/export');
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  const [contents, ...lines] = linesOf(answer.text);
  return { text: answer.text, contents, lines };
}

const ofKind = (lines: Line[], kind: string) => lines.filter((line) => line.kind === kind);

/** Chidi has something in every table; Eve invites him to another study. */
async function fullWorld(): Promise<Study> {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  await newPhone(responder);
  await pendingOf(responder);
  await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { code: 'P-017' });
  const night = await newCase(study, responder);
  const response = await newResponse(study, responder, night, { q1: 'like a log' });
  await owner.patch(`/response/${response}`, { items: { q2: '07:10' }, reason: 'By phone' });
  await responder.post(`/survey/${study.survey}/download`);
  await responder.put('/user/me/pause', { until: null });
  await seedPast([{ user: responder.id, survey: study.survey, on: '2027-02-28', state: 'invalidated' }]);
  await seedCompliance(study);
  await responder.post(`/investigation/${study.id}/archive-items`, {
    cases: [{ identifier: night }],
    status: 'archived',
    reason: 'A nap',
  });
  const eve = await signUp('Eve');
  const other = await eve.post('/investigation', { name: 'Elsewhere' });
  const invitation = { email: responder.email, role: 'editor' };
  await eve.post(`/investigation/${other.body.identifier}/member`, invitation);
  await newSetAside(study);
  return study;
}

test('the first line says what is what, and every line is as it says', async () => {
  const study = await fullWorld();
  const { contents, lines } = await exported(study.responder);
  expect(contents).toMatchObject({ kind: 'contents', user: study.responder.id });
  const kinds = exportKinds.map(({ kind }) => kind);
  expect(Object.keys(contents.kinds)).toEqual(kinds);
  expect([...new Set(lines.map(({ kind }) => kind))]).toEqual(kinds);
  for (const { kind, ...line } of lines)
    expect(Object.keys(line)).toEqual(Object.keys(contents.kinds[kind].fields));
  expect(ofKind(lines, 'response')).toMatchObject([
    {
      investigation: study.id,
      items: { q1: 'like a log', q2: '07:10' },
      createdAt: '2027-03-01T08:00:00.000Z',
    },
  ]);
  expect(ofKind(lines, 'revision')).toMatchObject([
    { number: 1, byUser: true, whole: true, items: { q1: 'like a log' } },
    { number: 2, byUser: false, items: { q2: '07:10' }, reason: 'By phone' },
  ]);
  expect(ofKind(lines, 'activity')).toMatchObject([{ action: 'items.archived', reason: 'A nap' }]);
  expect(ofKind(lines, 'membership-change')).toMatchObject([
    { action: 'member.added', after: { role: 'responder' } },
    { action: 'member.code-changed', code: 'given' },
  ]);
  expect(ofKind(lines, 'code')).toEqual([{ kind: 'code', investigation: study.id, code: 'P-017' }]);
});

test('reminders have their date, and the slot of those that are in windows', async () => {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  await newPhone(responder);
  const windows = [{ from: '10:00', to: '21:00', count: 3 }];
  const reminders = { ...daily, recurrence: '* * * * *', windows };
  const often = await owner.post(`/investigation/${study.id}/survey`, {
    name: 'Moods',
    items: [],
    reminders,
  });
  await pendingOf(responder, 2);
  setClock('2027-03-02T22:00:00.000Z');
  await ring(responder);
  const { lines } = await exported(responder);
  const of = (survey: string) =>
    ofKind(lines, 'notification')
      .filter((line) => line.survey === survey && line.state !== 'scheduled')
      .map(({ on, slot }) => ({ on, slot }));
  expect(of(study.survey).at(0)).toEqual({ on: '2027-03-01', slot: null });
  expect(of(often.body.identifier)).toEqual(
    ['2027-03-01', '2027-03-02'].flatMap((on) => [0, 1, 2].map((slot) => ({ on, slot }))),
  );
});

test('no secret is in it, and nobody else', async () => {
  const study = await fullWorld();
  const { owner, editor, responder, other } = study;
  await env.DB.prepare("update survey set window_secret = 'a-window-secret'").run();
  const answer = await newResponse(study, other, await newCase(study, owner, 'Of Ada'), { q1: 'Dana only' });
  const { text } = await exported(responder);
  const devices = await env.DB.prepare('select token, endpoint from device').all<Record<string, string>>();
  const secrets = devices.results.flatMap(({ token, endpoint }) => [token, endpoint]);
  const others = [owner, editor, other].flatMap(({ id, name, email }) => [id, `"${name}"`, email]);
  for (const foreign of [...secrets, ...others, 'a-window-secret', answer, 'Of Ada', 'Dana only'])
    expect(text).not.toContain(foreign);
  expect((await exported(owner)).text).not.toContain('like a log');
  expectProblem(await owner.get(`/user/${responder.id}/export`), 'action.forbidden');
});

test('former members keep their answers in the export; deleted ones are not in it', async () => {
  const study = await fullWorld();
  const { owner, responder } = study;
  await owner.delete(`/investigation/${study.id}/member/${responder.id}`);
  const left = await exported(responder);
  expect(ofKind(left.lines, 'response')).toHaveLength(1);
  expect(ofKind(left.lines, 'membership')).toEqual([]);
  expect(ofKind(left.lines, 'case')).toMatchObject([{ label: null }, { label: null }]);
  expect(ofKind(left.lines, 'membership-change').map(({ action }) => action)).toEqual([
    'member.added',
    'member.code-changed',
    'member.removed',
  ]);
  await owner.patch(`/investigation/${study.id}`, { status: 'archived' });
  await owner.delete(`/investigation/${study.id}`);
  const gone = await exported(responder);
  expect(gone.text).not.toContain(study.id);
  expect(gone.text).not.toContain(study.survey);
});

test('pages are bounded by rows and bytes, and a line costs the same however many there are', async () => {
  const study = await sleepStudy();
  await seedResponses(study, 1_200);
  const few = await measured(study.responder);
  await seedResponses(study, 2_400);
  const many = await measured(study.responder);
  expect(many.rowsRead / many.lines.length).toBeLessThan(1.1 * (few.rowsRead / few.lines.length));
  expect(many.roundTrips).toBeLessThan(45);

  await seedResponses(study, 40, { answer: 'w'.repeat(100_000) });
  const long = await measured(study.responder);
  const responses = ofKind(long.lines, 'response');
  expect(new Set(responses.map(({ identifier }) => identifier)).size).toBe(3_640);
  expect([responses.length, ofKind(long.lines, 'revision').length]).toEqual([3_640, 3_640]);
  expect(long.largest).toBeLessThan(1_500_000);
});

/** An export: its lines, its largest chunk in bytes, and what it cost. */
async function measured(of: Person) {
  const { counts, request } = countedApp();
  await request(of, 'GET', '/user/me');
  const before = { ...counts };
  const answer = await request(of, 'GET', '/user/me/export');
  let [text, largest] = ['', 0];
  const decoder = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    largest = Math.max(largest, chunk.length);
    text += decoder.decode(chunk, { stream: true });
  }
  return {
    lines: linesOf(text),
    largest,
    roundTrips: counts.roundTrips - before.roundTrips,
    rowsRead: counts.rowsRead - before.rowsRead,
  };
}

test('rows after a row that is longer than a page are in it', async () => {
  const study = await sleepStudy();
  const long = 'x'.repeat(1_100_000);
  const responses = [
    ...(await seedResponses(study, 1)),
    ...(await seedResponses(study, 1, { answer: long })),
    ...(await seedResponses(study, 2)),
  ];
  const { lines } = await exported(study.responder);
  expect(
    ofKind(lines, 'response')
      .map(({ identifier }) => identifier)
      .toSorted(),
  ).toEqual(responses.toSorted());
});
