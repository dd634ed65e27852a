import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sha256 } from '../support/chains.ts';
import type { Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

const match = ({ id }: Study, by: Person, filter: object = {}, more: object = {}) =>
  by.post(`/investigation/${id}/lock-matching`, { status: 'locked', filter, ...more });

/** Everything that is locked, in order. */
async function lockedIn({ id }: Study) {
  const { results } = await env.DB.prepare(
    `select id from study_case where investigation_id = ?1 and locked_at is not null
      union all select id from response where investigation_id = ?1 and locked_at is not null`,
  )
    .bind(id)
    .all<{ id: string }>();
  return results.map((row) => row.id).sort();
}

/** Everything that is not locked in the lists of what changed since then, in order. */
async function changedSince({ id, owner }: Study, since: number) {
  const query = `status=all&locked=false&since=${since}`;
  const { cases } = (await owner.get(`/investigation/${id}/cases?${query}`)).body;
  const { responses } = (await owner.get(`/investigation/${id}/responses?${query}`)).body;
  return [...cases, ...responses].map(({ identifier }: { identifier: string }) => identifier).sort();
}

async function itemsOf({ id, owner }: Study, activity: string, limit = 1000) {
  const all = { cases: [] as string[], responses: [] as string[] };
  for (let next = ''; ; ) {
    const { status, body, text } = await owner.get(
      `/investigation/${id}/activity/${activity}/items?limit=${limit}${next && `&cursor=${next}`}`,
    );
    expect(status, text).toBe(200);
    for (const kind of ['cases', 'responses'] as const)
      all[kind].push(...body[kind].map(({ identifier }: { identifier: string }) => identifier));
    if (body.next === undefined) return all;
    next = body.next;
  }
}

/** A study with two cases, a second survey, and responses of two people; minutes apart. */
async function mixedStudy() {
  const study = await sleepStudy();
  const { owner, editor, responder, other } = study;
  const nights = [await newCase(study, responder, 'Night 1'), await newCase(study, owner, 'Night 2', true)];
  const naps = { ...study, survey: '' };
  naps.survey = (
    await editor.post(`/investigation/${study.id}/survey`, {
      name: 'Naps',
      items: [{ identifier: 'q1', label: '' }],
    })
  ).body.identifier;
  const [first = '', hidden = ''] = nights;
  const answers = [await newResponse(study, responder, first)];
  later(10 * minutes);
  answers.push(await newResponse(naps, responder, first));
  answers.push(await newResponse(study, other, first));
  answers.push(await newResponse(study, editor, hidden));
  later(10 * minutes);
  return { study, nights, answers, naps: naps.survey };
}

test('a filter finds what it says, and the dry run counts what the call then changes', async () => {
  const { study, nights, answers, naps } = await mixedStudy();
  const { owner, responder } = study;
  const [first = '', hidden = ''] = nights;
  const [a = '', b = '', c = '', d = ''] = answers;
  const cases: [object, string[]][] = [
    [{}, [first, hidden, a, b, c, d]],
    [{ kinds: ['cases'] }, [first, hidden]],
    [{ kinds: ['responses'] }, [a, b, c, d]],
    [{ case: hidden }, [hidden, d]],
    [{ survey: naps }, [b]],
    [{ responder: responder.id }, [a, b]],
    [{ before: '2027-03-01T08:10:00.000Z' }, [first, hidden, a]],
    [{ before: '2027-03-01T08:10:00.001Z', survey: study.survey }, [a, c, d]],
    [{ case: first, responder: responder.id, kinds: ['responses'], survey: study.survey }, [a]],
    [{ survey: 'ab'.repeat(16) }, []],
  ];
  for (const [filter, expected] of cases) {
    const what = JSON.stringify(filter);
    const counted = await changingNothing(() => match(study, owner, filter, { dryRun: true }));
    expect(counted.status, counted.text).toBe(200);
    const done = await match(study, owner, filter, { reason: 'Interim analysis' });
    expect(await lockedIn(study), what).toEqual(expected.toSorted());
    const { activity, ...counts } = done.body;
    expect(counts, what).toEqual(counted.body);
    expect(counts.cases + counts.responses).toBe(expected.length);
    if (expected.length === 0) expect(activity).toBeUndefined();
    else {
      const [entry] = (await readLog(study, owner)).slice(-1);
      const items = await itemsOf(study, activity);
      expect(entry).toMatchObject({
        identifier: activity,
        action: 'items.locked',
        cases: [],
        responses: [],
        reason: 'Interim analysis',
        details: {
          filter,
          items: {
            ...counts,
            sha256: await sha256([...items.cases, ...items.responses].map((id) => `${id}\n`).join('')),
          },
        },
      });
      expect([...items.cases, ...items.responses].sort()).toEqual(expected.toSorted());
    }
    await match(study, owner, {}, { status: 'unlocked' });
    expect(await lockedIn(study)).toEqual([]);
  }
  expect((await owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);
});

test('since finds items that were created or edited then or later, as its list does, whatever the action', async () => {
  const { study, nights, answers, naps } = await mixedStudy();
  const { owner, editor, responder, other } = study;
  const [first = '', hidden = ''] = nights;
  const [a = '', b = '', c = '', d = ''] = answers;
  await owner.post(`/investigation/${study.id}/archive-items`, {
    responses: [{ identifier: b }],
    status: 'archived',
  });
  await editor.patch(`/case/${hidden}`, { label: 'Night 0' });
  await responder.patch(`/response/${a}`, { items: { q2: '7:00' } });
  await other.patch(`/response/${c}`, { items: { q2: '8:00' } });
  // Archival and locks are no revisions.
  later(minutes);
  await lock(owner, study, { cases: nights, responses: answers });
  await match(study, owner, {}, { status: 'unlocked' });
  const [start, ten, twenty] = [0, 10, 20].map((n) => Date.parse('2027-03-01T08:00:00.000Z') / 1000 + n * 60);
  const found: [object, string[]][] = [
    [{ since: 0 }, [first, hidden, a, b, c, d]],
    [{ since: start }, [first, hidden, a, b, c, d]],
    [{ since: Number(start) + 1 }, [hidden, a, b, c, d]],
    [{ since: ten }, [hidden, a, b, c, d]],
    [{ since: Number(ten) + 1 }, [hidden, a, c]],
    [{ since: twenty }, [hidden, a, c]],
    [{ since: Number(twenty) + 1 }, []],
    [{ since: ten, kinds: ['cases'] }, [hidden]],
    [{ since: ten, kinds: ['responses'] }, [a, b, c, d]],
    [{ since: ten, case: first }, [a, b, c]],
    [{ since: twenty, case: hidden }, [hidden]],
    [{ since: ten, survey: naps }, [b]],
    [{ since: twenty, survey: study.survey }, [a, c]],
    [{ since: ten, responder: responder.id }, [a, b]],
    [{ since: twenty, responder: responder.id, survey: naps }, []],
    [{ since: ten, before: '2027-03-01T08:10:00.000Z' }, [hidden, a]],
    [{ since: ten, case: first, survey: naps, responder: responder.id, before: '2027-03-02T00:00:00Z' }, [b]],
  ];
  for (const [filter, expected] of found) {
    const what = JSON.stringify(filter);
    const items = expected.toSorted();
    const { since, ...more } = filter as { since: number };
    if (Object.keys(more).length === 0) expect(await changedSince(study, since), what).toEqual(items);
    const counted = await changingNothing(() => match(study, owner, filter, { dryRun: true }));
    expect(counted.body.cases + counted.body.responses, what).toBe(expected.length);
    const done = await match(study, owner, filter);
    expect(done.body, done.text).toMatchObject(counted.body);
    expect(await lockedIn(study), what).toEqual(items);
    if (expected.length > 0)
      expect((await readLog(study, owner)).at(-1).details.filter).toMatchObject({ since });

    await match(study, owner);
    expect((await match(study, owner, filter, { status: 'unlocked' })).body).toMatchObject(counted.body);
    const rest = [...nights, ...answers].filter((id) => !expected.includes(id));
    expect(await lockedIn(study), what).toEqual(rest.sort());
    await match(study, owner, {}, { status: 'unlocked' });
  }

  const own = await match(study, responder, { since: ten });
  expect(own.body).toMatchObject({ cases: 0, responses: 2 });
  expect(await lockedIn(study)).toEqual([a, b].sort());
});

test('locked items keep their time and are not counted; deleted items are not found, archived ones are', async () => {
  const { study, nights, answers } = await mixedStudy();
  const { owner } = study;
  const [first = '', second = ''] = nights;
  const [a = '', b = ''] = answers;
  await lock(owner, study, { cases: [first] });
  const { lockedAt } = (await owner.get(`/case/${first}`)).body;
  const put = (route: string, status: string, id: string) =>
    owner.post(`/investigation/${study.id}/${route}`, { responses: [{ identifier: id }], status });
  await put('delete-items', 'deleted', a);
  await put('archive-items', 'archived', b);
  later(minutes);
  expect((await match(study, owner)).body).toMatchObject({ cases: 1, responses: 3 });
  expect(await lockedIn(study)).toEqual([...nights, ...answers.slice(1)].sort());
  expect((await owner.get(`/case/${first}`)).body.lockedAt).toBe(lockedAt);
  const entries = (await readLog(study, owner)).length;
  expect((await match(study, owner)).body).toEqual({ cases: 0, responses: 0 });
  expect(await readLog(study, owner)).toHaveLength(entries);
  expect((await owner.patch(`/case/${second}`, { label: 'x' })).status).toBe(423);
});

test('responders lock what they may view, and others do not find the study', async () => {
  const { study, nights, answers } = await mixedStudy();
  const [first = ''] = nights;
  const [a = '', b = ''] = answers;
  expect((await match(study, study.responder)).body).toMatchObject({ cases: 1, responses: 2 });
  expect(await lockedIn(study)).toEqual([first, a, b].sort());
  const eve = await signUp('Eve');
  await changingNothing(async () => expectProblem(await match(study, eve), 'resource.not-found'));
});

test('a filter, a status or a kind that does not exist is refused with its field', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/lock-matching`;
  const bad: [object, string][] = [
    [{ status: 'locked' }, '/filter'],
    [{ status: 'shut', filter: {} }, '/status'],
    [{ status: 'locked', filter: { case: 'x' } }, '/filter/case'],
    [{ status: 'locked', filter: { kinds: [] } }, '/filter/kinds'],
    [{ status: 'locked', filter: { kinds: ['surveys'] } }, '/filter/kinds/0'],
    [{ status: 'locked', filter: { before: 'yesterday' } }, '/filter/before'],
    ...['yesterday', '1803888000', -1, 1.5, null, Date.now()].map((since): [object, string] => [
      { status: 'locked', filter: { since } },
      '/filter/since',
    ]),
    [{ status: 'locked', filter: { label: 'Night' } }, '/filter/label'],
    [{ status: 'locked', filter: {}, dryRun: 'yes' }, '/dryRun'],
  ];
  for (const [body, pointer] of bad)
    expectProblem(await study.owner.post(path, body), 'request.invalid', [pointer]);
});

test('an item that comes between the look and the write is locked too, or not found at all', async () => {
  const study = await sleepStudy();
  await newCase(study, study.owner);
  const { send } = newApp({ db: interruptedDb(() => newCase(study, study.owner, 'In between')) });
  const { status, body } = await send(`/investigation/${study.id}/lock-matching`, {
    method: 'POST',
    token: study.owner.token,
    body: { status: 'locked', filter: {} },
  });
  expect([status, body.cases]).toEqual([200, 2]);
  expect(await lockedIn(study)).toHaveLength(2);
  expect((await itemsOf(study, body.activity)).cases).toEqual(await lockedIn(study));
});

test('with since an older item that is edited between the look and the write is locked too', async () => {
  const study = await sleepStudy();
  const [first, second] = [await newCase(study, study.owner), await newCase(study, study.owner)];
  later(minutes);
  const since = Date.now() / 1000;
  await study.owner.patch(`/case/${first}`, { label: 'Edited' });
  const { send } = newApp({
    db: interruptedDb(() => study.editor.patch(`/case/${second}`, { label: 'Edited, too' })),
  });
  const { status, body } = await send(`/investigation/${study.id}/lock-matching`, {
    method: 'POST',
    token: study.owner.token,
    body: { status: 'locked', filter: { since } },
  });
  expect([status, body.cases]).toEqual([200, 2]);
  expect((await itemsOf(study, body.activity)).cases).toEqual(await lockedIn(study));
});

test('the items of any entry come in pages, and only to those who read the log', async () => {
  const study = await sleepStudy();
  const { owner } = study;
  const cases = await seedCases(study, 2500);
  const responses = await seedResponses(study, 1200);
  const { activity } = (await match(study, owner)).body;
  for (const limit of [1000, 700])
    expect(await itemsOf(study, activity, limit)).toEqual({ cases, responses });
  await lock(owner, study, { cases: cases.slice(0, 5), responses: responses.slice(0, 3) }, 'unlocked');
  const [entry] = (await readLog(study, owner)).slice(-1);
  expect(await itemsOf(study, entry.identifier, 2)).toEqual({
    cases: cases.slice(0, 5),
    responses: responses.slice(0, 3),
  });

  for (const [item, count] of [
    [cases[0], 2],
    [cases[2499], 1],
    [responses[1199], 1],
    [responses[2], 2],
    ['0'.repeat(32), 0],
    ['f'.repeat(32), 0],
  ] as const)
    expect(await readLog(study, owner, `&item=${item}`), item).toHaveLength(count);

  const path = `/investigation/${study.id}/activity`;
  expectProblem(await study.responder.get(`${path}/${activity}/items`), 'action.forbidden');
  const elsewhere = await sleepStudy();
  expectProblem(await elsewhere.owner.get(`${path}/${activity}/items`), 'resource.not-found');
  const moved = `/investigation/${elsewhere.id}/activity/${activity}/items`;
  expectProblem(await elsewhere.owner.get(moved), 'resource.not-found');
  expectProblem(await owner.get(`${path}/${'ab'.repeat(16)}/items`), 'resource.not-found');
});

test('items that come after the request are not found', async () => {
  const study = await sleepStudy();
  const before = await newCase(study, study.owner, 'Before');
  later(minutes);
  const answered = await newCase(study, study.owner, 'After');
  await newResponse(study, study.responder, answered);
  later(-minutes);
  const { body } = await match(study, study.owner);
  expect(body).toMatchObject({ cases: 1, responses: 0 });
  expect(await lockedIn(study)).toEqual([before]);
  later(minutes);
  expect((await match(study, study.owner)).body).toMatchObject({ cases: 1, responses: 1 });
});
