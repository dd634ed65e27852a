import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { hashOf } from '../support/chains.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { readLog, seedEntries } from '../support/worker/logs.ts';
import { sleepStudy } from '../support/worker/world.ts';

const { measure } = countedApp();

const path = ({ id }: Study) => `/investigation/${id}/activity`;

test('anyone can compute the hashes from what the log answers', async () => {
  const study = await sleepStudy({
    type: 'rolling',
    recurrence: '30 21 * * *',
    notification: { subject: 'Diary', body: 'Zoë’s night — “well”? \u{1f319}' },
  });
  const { owner, editor, responder } = study;
  const night = await newCase(study, owner);
  const answer = await newResponse(study, responder, night);
  await owner.post(`/investigation/${study.id}/lock-items`, {
    cases: [{ identifier: night }],
    responses: [{ identifier: answer }],
    status: 'locked',
    reason: 'Réponse "closed"\n\\ é',
  });
  await lock(editor, study, { cases: [night] }, 'unlocked');
  await editor.patch(`/survey/${study.survey}`, { name: 'Naps', items: [{ identifier: 'b', label: '' }] });
  await owner.patch(`/investigation/${study.id}`, { name: 'Deep sleep', startsOn: '2027-03-02' });
  await owner.delete(`/investigation/${study.id}/member/${study.other.id}`);

  const entries = await readLog(study, owner);
  expect(entries.map(({ position }) => position)).toEqual(entries.map((_, n) => n + 1));
  expect(new Set(entries.map(({ action }) => action)).size).toBeGreaterThanOrEqual(7);
  let previous = '0'.repeat(64);
  for (const { hash, actorName, ...entry } of entries) {
    expect(actorName).toMatch(/^(Ada|Bruno|Chidi|Dana)$/);
    expect(hash).toBe(await hashOf(previous, entry));
    previous = hash;
  }
  // A name is not hashed, because its owner may change it.
  await owner.patch('/user/me', { name: 'Ada Lovelace' });
  const after = await readLog(study, owner);
  expect(after.map(({ hash }) => hash)).toEqual(entries.map(({ hash }) => hash));
  expect(after.some(({ actorName }) => actorName === 'Ada Lovelace')).toBe(true);
});

test('a page has about a million characters at most, however many entries were asked for', async () => {
  const study = await sleepStudy();
  const list = Array.from({ length: 1000 }, (_, n) => n.toString(16).padStart(32, '0'));
  await seedEntries(study, 100, () => ({ action: 'items.locked', cases: list }));
  const first = await study.owner.get(`${path(study)}?limit=1000`);
  expect(first.text.length).toBeGreaterThan(900_000);
  expect(first.text.length).toBeLessThan(1_100_000);
  expect(first.body.next).toBeDefined();
  const all = await readLog(study, study.owner);
  expect(all.map(({ position }) => position)).toEqual(Array.from({ length: 103 }, (_, n) => n + 1));
  expect((await study.owner.get(`${path(study)}/verify`)).body).toMatchObject({ valid: true, entries: 103 });
});

test('a page costs what it returns, also late in a long log', async () => {
  const study = await sleepStudy();
  await seedEntries(study, 5000);
  for (const limit of [1, 100, 1000]) {
    const { answer, ...cost } = await measure(study.owner, 'GET', `${path(study)}?limit=${limit}`);
    expect(answer.body.activities).toHaveLength(limit);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    // Each with the name of who acted.
    expect(cost.rowsRead).toBeLessThanOrEqual(2 * (limit + 1) + 10);
  }
});

test('a filter looks at a thousand entries a page, and finds all of them in the end', async () => {
  const study = await sleepStudy();
  const [rare, never] = ['ab'.repeat(16), 'cd'.repeat(16)];
  const at = new Set([0, 999, 1500, 3999]);
  await seedEntries(study, 4000, (n) => (at.has(n) ? { action: 'items.locked', cases: [rare] } : {}));
  for (const filter of [`item=${rare}`, `item=${never}`, 'action=items.locked', 'action=items.deleted']) {
    const found: number[] = [];
    let pages = 0;
    for (let next = ''; ; pages++) {
      const url = `${path(study)}?${filter}&limit=2${next && `&cursor=${next}`}`;
      const { answer, ...cost } = await measure(study.editor, 'GET', url);
      expect(answer.status, answer.text).toBe(200);
      expect(cost.rowsRead, url).toBeLessThanOrEqual(1000 + 20);
      found.push(...answer.body.activities.map(({ position }: { position: number }) => position));
      if (answer.body.next === undefined) break;
      next = answer.body.next;
    }
    expect(pages).toBeLessThan(8);
    const isThere = filter.includes(rare) || filter.includes('locked');
    expect(found).toEqual(isThere ? [4003, 1504, 1003, 4] : []);
  }
});

test('verifying a long chain takes several calls, each of them bounded, and none trusts what it did not see', async () => {
  const study = await sleepStudy();
  const entries = 20_100;
  const rows = await seedEntries(study, entries - 3);
  const walk = async () => {
    const answers = [];
    for (let next = ''; ; ) {
      const url = `${path(study)}/verify${next && `?cursor=${next}`}`;
      const { answer, ...cost } = await measure(study.owner, 'GET', url);
      expect(answer.status, answer.text).toBe(200);
      expect(cost.roundTrips).toBeLessThanOrEqual(11);
      expect(cost.rowsRead).toBeLessThanOrEqual(3 * 10_000 + 50);
      answers.push(answer.body);
      if (answer.body.next === undefined) return answers;
      next = answer.body.next;
    }
  };
  const head = rows.at(-1)?.hash;
  const whole = await walk();
  expect(whole.map((answer) => answer.entries)).toEqual([10_000, 20_000, entries]);
  expect(whole.at(-1)).toEqual({ valid: true, entries, head });

  // The chain is rebuilt from an edited entry on, between two calls: the second one goes on from the hash that it was told.
  const [{ next }] = whole;
  await env.DB.prepare("update activity set hash = 'f' where investigation_id = ? and position = 10000")
    .bind(study.id)
    .run();
  const { body } = await study.owner.get(`${path(study)}/verify?cursor=${next}`);
  expect(body).toMatchObject({ valid: true, entries: 20_000 });
  expect((await walk()).at(-1)).toEqual({ valid: false, entries: 9_999, brokenAt: 10_000 });
  for (const cursor of ['x', 'WzFd', btoa('[0,"0"]')])
    expect((await study.owner.get(`${path(study)}/verify?cursor=${cursor}`)).status).toBe(400);
});
