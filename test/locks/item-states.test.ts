import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { reconcile } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Answer, Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { days, hours, later, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

type Items = { cases?: string[]; responses?: string[] };

const change =
  (route: string) =>
  (by: Person, study: Study, items: Items, status: string, more: object = {}): Promise<Answer> =>
    by.post(`/investigation/${study.id}/${route}`, {
      ...(items.cases && { cases: items.cases.map((identifier) => ({ identifier })) }),
      ...(items.responses && { responses: items.responses.map((identifier) => ({ identifier })) }),
      status,
      ...more,
    });
const lockItems = change('lock-items');
const archive = change('archive-items');
const remove = change('delete-items');

const log = async ({ id, owner }: Study) =>
  (await owner.get(`/investigation/${id}/activity?limit=1000`)).body.activities;

/** Does it, expects 204, and gives the entries that it added to the log. */
async function logged(study: Study, work: () => Promise<Answer>) {
  const before = await log(study);
  const answer = await work();
  expect(answer.status, answer.text).toBe(204);
  expect(answer.text).toBe('');
  const after = await log(study);
  return after.slice(0, after.length - before.length);
}

const read = async (by: Person, path: string) => (await by.get(path)).body;

/** One study for all: each test makes items of its own. */
let study: Study;
beforeAll(async () => {
  study = await sleepStudy();
});

test('a lock sets lockedAt in place of status, everywhere, and is one entry with its reason', async () => {
  const { owner, responder } = study;
  const night = await newCase(study, owner);
  const answered = await newResponse(study, responder, night);
  const entries = await logged(study, () =>
    lockItems(owner, study, { cases: [night], responses: [answered] }, 'locked', { reason: 'Data freeze ❄' }),
  );
  expect(entries).toMatchObject([
    {
      action: 'items.locked',
      actor: owner.id,
      actorName: 'Ada',
      cases: [night],
      responses: [answered],
      reason: 'Data freeze ❄',
      at: new Date().toISOString(),
    },
  ]);
  const lockedAt = new Date().toISOString();
  for (const body of [
    await read(owner, `/case/${night}`),
    await read(responder, `/response/${answered}`),
    (await read(owner, `/investigation/${study.id}/responses?case=${night}`)).responses[0],
    (await read(owner, `/investigation/${study.id}/cases`)).cases.find(
      (one: { identifier: string }) => one.identifier === night,
    ),
  ]) {
    expect(body.lockedAt).toBe(lockedAt);
    expect(body).not.toHaveProperty('status');
  }
  const unlocked = await logged(study, () => lock(responder, study, { responses: [answered] }, 'unlocked'));
  expect(unlocked).toMatchObject([
    { action: 'items.unlocked', actor: responder.id, cases: [], responses: [answered] },
  ]);
  expect(unlocked[0]).not.toHaveProperty('reason');
  const body = await read(owner, `/response/${answered}`);
  expect(body.status).toBe('active');
  expect(body).not.toHaveProperty('lockedAt');
});

describe.each([
  {
    name: 'lock',
    act: lockItems,
    there: 'locked',
    back: 'unlocked',
    did: 'items.locked',
    undid: 'items.unlocked',
  },
  {
    name: 'archive',
    act: archive,
    there: 'archived',
    back: 'active',
    did: 'items.archived',
    undid: 'items.restored',
  },
  {
    name: 'delete',
    act: remove,
    there: 'deleted',
    back: 'active',
    did: 'items.deleted',
    undid: 'items.restored',
  },
])('$name', ({ act, there, back, did, undid }) => {
  test('doing it again changes nothing; the log names only what changed', async () => {
    const { owner } = study;
    const [first, second] = [await newCase(study, owner), await newCase(study, owner)];
    const answered = await newResponse(study, study.responder, first);
    expect(await logged(study, () => act(owner, study, { cases: [first] }, there))).toMatchObject([
      { action: did, cases: [first], responses: [] },
    ]);
    later(5000);
    const both = { cases: [first, second, first], responses: [answered, answered] };
    // Locked items are not named again; a locked item would refuse archiving, an archived one is fine.
    expect(await logged(study, () => act(owner, study, both, there))).toMatchObject([
      { action: did, cases: [second], responses: [answered] },
    ]);
    later(5000);
    await changingNothing(async () => expect((await act(owner, study, both, there)).status).toBe(204));
    expect(await logged(study, () => act(owner, study, { cases: [second] }, back))).toMatchObject([
      { action: undid, cases: [second], responses: [] },
    ]);
    expect(await logged(study, () => act(owner, study, both, back))).toMatchObject([
      { action: undid, cases: [first], responses: [answered] },
    ]);
    await changingNothing(async () => expect((await act(owner, study, both, back)).status).toBe(204));
    expect((await read(owner, `/case/${first}`)).status).toBe('active');
  });

  test('one unknown item, and nothing happens; each place is named', async () => {
    const { owner, responder, other } = study;
    const night = await newCase(study, owner);
    const mine = await newResponse(study, responder, night);
    const theirs = await newResponse(study, other, night);
    const elsewhere = await sleepStudy();
    const foreign = await newCase(elsewhere, elsewhere.owner);
    const unknown = 'f'.repeat(32);
    await changingNothing(async () => {
      const answer = await act(
        owner,
        study,
        { cases: [night, unknown, night, foreign], responses: [mine, night] },
        there,
      );
      expectProblem(answer, 'items.not-found', [
        '/cases/1/identifier',
        '/cases/3/identifier',
        '/responses/1/identifier',
      ]);
      expectProblem(await act(responder, study, { responses: [mine, theirs] }, there), 'items.not-found', [
        '/responses/1/identifier',
      ]);
      // Of another study, by somebody who is in neither.
      expectProblem(await act(elsewhere.owner, study, { cases: [night] }, there), 'resource.not-found');
    });
  });
});

test('the first lockedAt stays', async () => {
  const night = await newCase(study, study.owner);
  await lock(study.owner, study, { cases: [night] });
  later(60_000);
  await lock(study.editor, study, { cases: [night] });
  expect((await read(study.owner, `/case/${night}`)).lockedAt).toBe(new Date(startOfTests).toISOString());
});

test('everyone who sees an item may lock and unlock it, whoever locked it', async () => {
  const { owner, editor, responder, other } = study;
  const night = await newCase(study, owner);
  const answered = await newResponse(study, responder, night);
  for (const by of [owner, editor, responder]) {
    expect((await lock(by, study, { cases: [night], responses: [answered] })).status).toBe(204);
    expect((await lock(responder, study, { cases: [night], responses: [answered] }, 'unlocked')).status).toBe(
      204,
    );
  }
  expectProblem(await lock(other, study, { cases: [night] }), 'items.not-found', ['/cases/0/identifier']);
  await owner.patch(`/case/${night}`, { hidden: true });
  expectProblem(await lock(responder, study, { cases: [night] }), 'items.not-found', ['/cases/0/identifier']);
});

test('one locked item refuses the whole request to archive, delete or bring back, and is named', async () => {
  const { owner } = study;
  const [open, locked] = [await newCase(study, owner), await newCase(study, owner)];
  const answered = await newResponse(study, study.responder, open);
  await lock(owner, study, { cases: [locked], responses: [answered] });
  const items = { cases: [open, locked], responses: [answered] };
  await changingNothing(async () => {
    for (const answer of [
      await archive(owner, study, items, 'archived'),
      await archive(owner, study, items, 'active'),
      await remove(owner, study, items, 'deleted'),
      await remove(owner, study, items, 'active'),
    ])
      expectProblem(answer, 'item.locked', ['/cases/1/identifier', '/responses/0/identifier']);
  });
});

test('an archived item can be locked and unlocked; locked, it says lockedAt; then it is archived again', async () => {
  const { owner } = study;
  const night = await newCase(study, owner);
  await archive(owner, study, { cases: [night] }, 'archived');
  expect((await read(owner, `/case/${night}`)).status).toBe('archived');
  expect((await lock(owner, study, { cases: [night] })).status).toBe(204);
  expect(await read(owner, `/case/${night}`)).not.toHaveProperty('status');
  expect((await lock(owner, study, { cases: [night] }, 'unlocked')).status).toBe(204);
  expect((await read(owner, `/case/${night}`)).status).toBe('archived');
});

test('a locked case takes no new response; the ones it has keep their own locks', async () => {
  const { owner, responder } = study;
  const night = await newCase(study, owner);
  const answered = await newResponse(study, responder, night);
  await lock(owner, study, { cases: [night] });
  await changingNothing(async () => {
    for (const by of [owner, responder])
      expectProblem(
        await by.post(`/survey/${study.survey}/response`, { case: night, items: {} }),
        'item.locked',
        ['/case'],
      );
  });
  expect((await responder.patch(`/response/${answered}`, { items: { q2: 'seven' } })).status).toBe(200);
  await lock(responder, study, { cases: [night] }, 'unlocked');
  expect((await newResponse(study, responder, night)).length).toBe(32);
});

test('responders archive and delete only what is theirs', async () => {
  const { owner, responder } = study;
  const [mine, theirs] = [await newCase(study, responder), await newCase(study, owner)];
  const answered = await newResponse(study, responder, theirs);
  await changingNothing(async () => {
    expectProblem(await archive(responder, study, { cases: [mine, theirs] }, 'archived'), 'action.forbidden');
    expectProblem(await remove(responder, study, { cases: [mine, theirs] }, 'deleted'), 'action.forbidden');
  });
  expect((await archive(responder, study, { cases: [mine], responses: [answered] }, 'archived')).status).toBe(
    204,
  );
  expect((await remove(responder, study, { cases: [mine], responses: [answered] }, 'deleted')).status).toBe(
    204,
  );
});

describe('deleted items', () => {
  /** The answers about a case and a response, by status. */
  const reads = async (by: Person, night: string, answered: string) =>
    Object.fromEntries(
      await Promise.all(
        [`/case/${night}`, `/response/${answered}`, `/response/${answered}/revisions`].map(async (path) => [
          path.replace(/[0-9a-f]{32}/, ':id'),
          (await by.get(path)).status,
        ]),
      ),
    );
  const gone = { '/case/:id': 404, '/response/:id': 404, '/response/:id/revisions': 404 };
  const there = { '/case/:id': 200, '/response/:id': 200, '/response/:id/revisions': 200 };

  test('vanish from every read for everyone, and take no write', async () => {
    const { owner, editor, responder } = study;
    const night = await newCase(study, owner);
    const answered = await newResponse(study, responder, night);
    const items = { cases: [night], responses: [answered] };
    expect((await remove(editor, study, items, 'deleted')).status).toBe(204);
    for (const by of [owner, editor, responder]) {
      expect(await reads(by, night, answered)).toEqual(gone);
      for (const list of ['cases', 'responses'])
        for (const query of ['', '?status=all', '?status=all&limit=1000'])
          expect((await by.get(`/investigation/${study.id}/${list}${query}`)).text).not.toContain(night);
    }
    await changingNothing(async () => {
      for (const by of [owner, editor, responder]) {
        expectProblem(await by.patch(`/case/${night}`, { label: 'x' }), 'resource.not-found');
        expectProblem(await by.patch(`/response/${answered}`, { items: {} }), 'resource.not-found');
        expectProblem(
          await by.post(`/survey/${study.survey}/response`, { case: night, items: {} }),
          'items.not-found',
        );
        for (const status of ['locked', 'unlocked'])
          expectProblem(await lockItems(by, study, { cases: [night] }, status), 'items.not-found');
        expectProblem(await archive(by, study, items, 'archived'), 'items.not-found');
      }
    });
  });

  test('are brought back by an owner only, as they were', async () => {
    const { owner, editor, responder } = study;
    const night = await newCase(study, responder);
    const answered = await newResponse(study, responder, night);
    const items = { cases: [night], responses: [answered] };
    const before = [await read(owner, `/case/${night}`), await read(owner, `/response/${answered}`)];
    await remove(responder, study, items, 'deleted');
    await changingNothing(async () => {
      for (const by of [editor, responder])
        expectProblem(await remove(by, study, items, 'active'), 'action.forbidden');
      expectProblem(await remove(editor, study, { cases: ['0'.repeat(32)] }, 'active'), 'action.forbidden');
    });
    later(29 * days);
    expect(await logged(study, () => remove(owner, study, items, 'active'))).toMatchObject([
      { action: 'items.restored', ...items },
    ]);
    expect(await reads(responder, night, answered)).toEqual(there);
    expect([await read(owner, `/case/${night}`), await read(owner, `/response/${answered}`)]).toEqual(before);
  });

  test('are purged with their revisions after 30 days, and nothing else is', async () => {
    const { owner, responder } = study;
    const services = { ...createServices(env), log: () => {} };
    const [night, kept] = [await newCase(study, owner), await newCase(study, owner)];
    const answered = await newResponse(study, responder, night);
    const survivor = await newResponse(study, responder, kept);
    const items = { cases: [night], responses: [answered] };
    await remove(owner, study, items, 'deleted');
    later(30 * days);
    await reconcile(services);
    expect(await count('response_revision', 'response_id', answered)).toBe(1);
    later(1);
    expectProblem(await remove(owner, study, items, 'active'), 'items.not-found');
    // Somebody may be bringing them back at this moment.
    await reconcile(services);
    expect(await count('study_case', 'id', night)).toBe(1);
    later(hours);
    await reconcile(services);
    for (const [table, column, id, left] of [
      ['study_case', 'id', night, 0],
      ['response', 'id', answered, 0],
      ['response_revision', 'response_id', answered, 0],
      ['study_case', 'id', kept, 1],
      ['response', 'id', survivor, 1],
      ['response_revision', 'response_id', survivor, 1],
    ] as const)
      expect(await count(table, column, id), table).toBe(left);
    expect(await read(owner, `/investigation/${study.id}/activity/verify`)).toMatchObject({ valid: true });
  });

  test('are purged however many they are', async () => {
    const many = await sleepStudy();
    await seedCases(many, 1);
    await seedResponses(many, 1200);
    await env.DB.prepare('update response set deleted_at = 1 where investigation_id = ?').bind(many.id).run();
    await reconcile({ ...createServices(env), log: () => {} });
    expect(await count('response', 'investigation_id', many.id)).toBe(0);
  });

  const count = (table: string, column: string, id: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where ${column} = ?`).bind(id).first('n');
});

test('1000 items at once', async () => {
  const many = await sleepStudy();
  const cases = await seedCases(many, 500);
  const responses = await seedResponses(many, 500);
  const [entry] = await logged(many, () => lock(many.owner, many, { cases, responses }));
  expect(entry.cases).toEqual(cases);
  expect(entry.responses).toEqual(responses);
  const left = await read(many.owner, `/investigation/${many.id}/cases?locked=false`);
  expect(left.cases).toEqual([]);
});

test('an identifier that is repeated counts once, also towards the 1000', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const often = { cases: Array<string>(1001).fill(night) };
  for (const [request, status] of [
    [lockItems, 'locked'],
    [lockItems, 'unlocked'],
    [archive, 'archived'],
    [remove, 'deleted'],
  ] as const) {
    const entries = await logged(study, () => request(study.owner, study, often, status));
    expect(entries).toMatchObject([{ cases: [night], responses: [] }]);
  }
});

test('when the entry cannot be written, nothing is', async () => {
  const night = await newCase(study, study.owner);
  await env.DB.exec("create trigger broken before insert on activity begin select raise(abort, 'no'); end");
  try {
    await changingNothing(async () =>
      expectProblem(await lock(study.owner, study, { cases: [night] }), 'internal.error'),
    );
  } finally {
    await env.DB.exec('drop trigger broken');
  }
  expect((await lock(study.owner, study, { cases: [night] })).status).toBe(204);
});
