import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

const lockWith = (by: Person, { id }: Study, items: object, reason?: string) =>
  by.post(`/investigation/${id}/lock-items`, { ...items, status: 'locked', ...(reason && { reason }) });

const entriesOf = async ({ id, owner }: Study) =>
  (await owner.get(`/investigation/${id}/activity`)).body.activities as Record<string, unknown>[];

/** The locks of cases and of responses, as the lists have them for somebody. */
async function locksFor(reader: Person, { id }: Study) {
  const all: Record<string, unknown> = {};
  for (const name of ['cases', 'responses']) {
    const { body } = await reader.get(`/investigation/${id}/${name}?include=lock`);
    for (const { identifier, lock } of body[name]) all[identifier] = lock;
  }
  return all;
}

test('owners and editors who ask for it learn who locked an item and why, and nobody else does', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { code: 'P-017' });
  const [night, other, open] = [
    await newCase(study, editor, 'Night 1'),
    await newCase(study, editor, 'Night 2'),
    await newCase(study, editor, 'Night 3'),
  ];
  const answer = await newResponse(study, responder, night);
  await lockWith(editor, study, { cases: [{ identifier: night }] }, 'Monitored on site');
  await lockWith(responder, study, { responses: [{ identifier: answer }] });
  const matched = await owner.post(`/investigation/${study.id}/lock-matching`, {
    status: 'locked',
    filter: { case: other },
    reason: 'Database lock',
  });
  const [byOwner, byResponder, byEditor] = await entriesOf(study);
  expect(byOwner?.identifier).toBe(matched.body.activity);
  const expected = {
    [night]: {
      activity: byEditor?.identifier,
      actor: editor.id,
      actorName: 'Bruno',
      reason: 'Monitored on site',
    },
    [answer]: {
      activity: byResponder?.identifier,
      actor: responder.id,
      actorName: 'Chidi',
      code: 'P-017',
    },
    [other]: {
      activity: byOwner?.identifier,
      actor: owner.id,
      actorName: 'Ada',
      reason: 'Database lock',
    },
    [open]: undefined,
  };
  for (const reader of [owner, editor]) {
    expect(await locksFor(reader, study)).toEqual(expected);
    expect((await reader.get(`/case/${night}?include=lock`)).body.lock).toEqual(expected[night]);
    expect((await reader.get(`/response/${answer}?include=lock`)).body.lock).toEqual(expected[answer]);
  }
  // Nobody who may not read the log, and nobody who does not ask.
  expect(Object.values(await locksFor(responder, study)).filter(Boolean)).toEqual([]);
  expect((await responder.get(`/response/${answer}?include=lock`)).body).not.toHaveProperty('lock');
  for (const path of [`/case/${night}`, `/response/${answer}`])
    expect((await owner.get(path)).body).not.toHaveProperty('lock');
  expect((await owner.get(`/investigation/${study.id}/cases`)).text).not.toContain('Monitored on site');

  // The next lock is another one.
  await lock(owner, study, { cases: [night] }, 'unlocked');
  expect((await owner.get(`/case/${night}?include=lock`)).body).not.toHaveProperty('lock');
  await lock(owner, study, { cases: [night] });
  expect((await owner.get(`/case/${night}?include=lock`)).body.lock).toMatchObject({ actor: owner.id });
});

test('tables have a column for who locked an item and one for the reason, if they are asked for', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.editor);
  const answer = await newResponse(study, study.responder, night);
  const items = { cases: [{ identifier: night }], responses: [{ identifier: answer }] };
  await lockWith(study.editor, study, items, '=1+1');
  for (const name of ['cases', 'responses']) {
    const path = `/investigation/${study.id}/${name}`;
    const { text } = await study.owner.get(`${path}?include=lock`, { accept: 'text/csv' });
    const [header = '', row = ''] = text.split('\r\n');
    const at = header.split(',').indexOf('lockedBy');
    expect(header.split(',')[at + 1]).toBe('lockReason');
    expect(row.split(',').slice(at, at + 2)).toEqual(['Bruno', "'=1+1"]);
    const plain = await study.owner.get(path, { accept: 'text/csv' });
    expect(plain.text).not.toContain('lockedBy');
  }
});

test('a page of items that as many entries locked is read at once, and costs what it returns', async () => {
  const study = await sleepStudy();
  const ids = await seedResponses(study, 60);
  const reason = 'é'.repeat(500);
  for (const identifier of ids) await lockWith(study.editor, study, { responses: [{ identifier }] }, reason);
  const { measure } = countedApp();
  const path = `/investigation/${study.id}/responses?limit=50`;
  const plain = await measure(study.owner, 'GET', path);
  const { answer, ...cost } = await measure(study.owner, 'GET', `${path}&include=lock`);
  expect(answer.body.responses).toHaveLength(50);
  expect(answer.body.responses.every(({ lock }: { lock: object }) => lock)).toBe(true);
  expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  // The entry, once more, and the name of the person who made it.
  expect(cost.rowsRead - plain.rowsRead).toBeLessThanOrEqual(2 * 51);
});

test('long reasons make a page shorter, not larger', async () => {
  const study = await sleepStudy();
  await seedResponses(study, 900);
  await study.editor.post(`/investigation/${study.id}/lock-matching`, {
    status: 'locked',
    filter: {},
    reason: '“'.repeat(500),
  });
  for (const name of ['cases', 'responses']) {
    const seen = new Set<string>();
    let path: string | undefined = `/investigation/${study.id}/${name}?limit=1000&include=lock`;
    const first = path;
    while (path) {
      const { text, body } = await study.owner.get(path);
      expect(new TextEncoder().encode(text).length).toBeLessThan(1_100_000);
      for (const { identifier } of body[name]) seen.add(identifier);
      path = body.next && `${first}&cursor=${encodeURIComponent(body.next)}`;
    }
    expect(seen.size).toBe((await study.owner.get(`/investigation/${study.id}/${name}`)).body[name].length);
  }
});

test('another thing to include is refused', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.editor);
  for (const path of [`/case/${night}`, `/investigation/${study.id}/cases`])
    expectProblem(await study.owner.get(`${path}?include=everything`), 'request.invalid', ['?include']);
});
