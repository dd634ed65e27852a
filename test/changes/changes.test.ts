import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { enrol } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import { newProgram } from '../support/programs.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { newPhone, signUp, sleepStudy, stranger, world } from '../support/worker/world.ts';
import { follow, listed, newCopy, sorted } from './support/copies.ts';

const feed = (of: Person, { id }: Pick<Study, 'id'>, query = '') =>
  of.get(`/investigation/${id}/changes${query}`);

/** A study in which Chidi answered for a case of his. */
async function answeredStudy() {
  setClock(startOfTests);
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  const answer = await newResponse(study, study.responder, night);
  return { ...study, night, answer };
}

test('the feed has the latest change of each thing, in order, and who keeps `next` sees only later ones', async () => {
  const study = await answeredStudy();
  const { owner, id, night, answer, survey } = study;
  const { body } = await feed(owner, study);
  expect(body).toMatchObject({ investigation: `investigation/${id}`, next: body.latest });
  expect(body.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
    'study',
    'member',
    'member',
    'member',
    'member',
    'survey',
    'case',
    'response',
  ]);
  expect(body.changes.at(-1)).toEqual({
    sequence: body.latest,
    kind: 'response',
    identifier: answer,
    state: 'active',
    at: '2027-03-01T08:00:00.000Z',
    revision: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect((await feed(owner, study, `?after=${body.latest}`)).body).toMatchObject({
    changes: [],
    next: body.latest,
  });

  later(5 * minutes);
  await lock(owner, study, { cases: [night] });
  const after = (await feed(owner, study, `?after=${body.latest}`)).body;
  expect(after.changes).toMatchObject([
    { kind: 'case', identifier: night, state: 'locked', at: '2027-03-01T08:05:00.000Z' },
  ]);
  // The earlier change of the case is gone: the copy sees each thing once.
  const again = (await feed(owner, study)).body.changes;
  expect(
    again.map(({ identifier }: { identifier: string }) => identifier).filter((one: string) => one === night),
  ).toEqual([night]);
  expect(again.at(-1).identifier).toBe(night);
  expect(again.some(({ identifier }: { identifier: string }) => identifier === survey)).toBe(true);
});

test('deleted items and former members stay in it, without their content, also after the purge', async () => {
  const study = await answeredStudy();
  const { owner, id, night, answer, other } = study;
  const copy = newCopy();
  await follow(copy, owner, id);
  later(minutes);
  for (const items of [{ responses: [{ identifier: answer }] }, { cases: [{ identifier: night }] }])
    expect(
      (await owner.post(`/investigation/${id}/delete-items`, { ...items, status: 'deleted' })).status,
    ).toBe(204);
  await owner.delete(`/investigation/${id}/member/${other.id}`);
  const gone = (await feed(owner, study, `?after=${copy.next}&include=body`)).body.changes;
  expect(gone).toMatchObject([
    { kind: 'response', identifier: answer, state: 'deleted', at: '2027-03-01T08:01:00.000Z', body: null },
    { kind: 'case', identifier: night, state: 'deleted', body: null },
    { kind: 'member', identifier: other.id, state: 'removed', body: null },
  ]);
  await env.DB.prepare('delete from study_case where id = ?').bind(night).run();
  expect((await feed(owner, study, `?after=${copy.next}&include=body`)).body.changes).toEqual(gone);
});

test('owners and editors read it, each as their lists show things; nobody else does', async () => {
  const study = await answeredStudy();
  const { owner, editor, responder } = study;
  const gil = await signUp('Gil');
  expectProblem(await feed(responder, study), 'action.forbidden');
  expectProblem(await feed(gil, study), 'resource.not-found');
  const invited = await stranger('Fay');
  await owner.post(`/investigation/${study.id}/member`, {
    email: invited.email,
    role: 'responder',
    code: 'P-1',
  });
  created(await invited.post('/user', { name: 'Fay', acceptInvitations: true }));
  for (const reader of [owner, editor]) {
    const copy = newCopy();
    await follow(copy, reader, study.id);
    expect(sorted(copy.things)).toEqual(sorted(await listed(reader, study)));
  }
});

test('a page of things holds about a million characters, and tells one that is nearly as long', async () => {
  const study = await answeredStudy();
  const ids = await seedResponses(study, 4, { answer: 'x'.repeat(900_000) });
  ids.push(...(await seedResponses(study, 30, { answer: 'y'.repeat(90_000) })));
  const told: string[] = [];
  for (let after = 0; ; ) {
    const { text, body } = await feed(study.owner, study, `?after=${after}&limit=1000&include=body`);
    expect(text.length).toBeLessThan(1_300_000);
    told.push(...body.changes.map(({ identifier }: { identifier: string }) => identifier));
    after = body.next;
    if (after === body.latest) break;
  }
  expect(new Set(told).size).toBe(told.length);
  expect(told).toEqual(expect.arrayContaining(ids));
});

test('an unknown sequence, limit or include is refused', async () => {
  const study = await answeredStudy();
  for (const query of ['?after=-1', '?after=9999', '?limit=0', '?limit=1001', '?include=all', '?before=1'])
    expectProblem(await feed(study.owner, study, query), 'request.invalid');
});

test('its ETag is the latest sequence, and a client that has it gets 304', async () => {
  const study = await answeredStudy();
  const { owner, night } = study;
  const { headers, body } = await feed(owner, study);
  expect(headers.get('etag')).toBe(`"${body.latest}"`);
  const asked = () =>
    owner.get(`/investigation/${study.id}/changes`, { 'if-none-match': `"${body.latest}"` });
  expect((await asked()).status).toBe(304);
  await lock(owner, study, { cases: [night] });
  expect((await asked()).status).toBe(200);
});

describe('the cost', () => {
  const measured = () => countedApp();

  test('of a page is one round trip and what it returns; of a 304 a row beside the membership', async () => {
    const study = await answeredStudy();
    const { measure } = measured();
    for (let n = 0; n < 20; n++) await newResponse(study, study.responder, study.night);
    const path = `/investigation/${study.id}/changes`;
    const { answer, ...page } = await measure(study.owner, 'GET', path);
    const count = answer.body.changes.length;
    expect(count).toBeGreaterThan(25);
    expect(page).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(page.rowsRead).toBeLessThanOrEqual(count + 10);
    const known = await measure(study.owner, 'GET', path, undefined, {
      'if-none-match': `"${answer.body.latest}"`,
    });
    expect(known).toMatchObject({ answer: { status: 304 }, roundTrips: 1, rowsWritten: 0 });
    expect(known.rowsRead).toBeLessThanOrEqual(2);
  });
});

/** Each route that writes, with a request that changes something of the study, or the reason why it changes none. */
const writes: Record<
  string,
  ((study: Awaited<ReturnType<typeof answeredStudy>>) => Promise<unknown>) | string
> = {
  'POST /investigation': async () => {
    const dana = await signUp('Dana');
    const own = created(await dana.post('/investigation', { name: 'Sleep' })).identifier;
    expect((await feed(dana, { id: own })).body.changes).toMatchObject([
      { kind: 'study' },
      { kind: 'member' },
    ]);
  },
  'PATCH /investigation/:id': ({ owner, id }) => owner.patch(`/investigation/${id}`, { name: 'Sleep well' }),
  'DELETE /investigation/:id': 'a deleted study is read by nobody',
  'POST /investigation/:id/restore': 'shows the study as it was before it was deleted',
  'POST /investigation/:id/freeze': ({ owner, id }) =>
    owner.post(`/investigation/${id}/freeze`, { status: 'frozen', reason: 'analysis' }),
  'POST /investigation/:id/case': (study) => newCase(study, study.other, 'Night 2'),
  'PATCH /case/:id': ({ owner, night }) => owner.patch(`/case/${night}`, { label: 'Night one' }),
  'POST /survey/:id/response': (study) => newResponse(study, study.owner, study.night),
  'POST /set-aside/:id/place': async (study) =>
    study.editor.post(`/set-aside/${await newSetAside(study)}/place`, { case: study.night }),
  'POST /set-aside/:id/discard': 'answers that are set aside are no responses yet',
  'PATCH /response/:id': ({ responder, answer }) =>
    responder.patch(`/response/${answer}`, { items: { q1: 'badly' } }),
  'POST /investigation/:id/lock-items': (study) =>
    lock(study.owner, study, { cases: [study.night], responses: [study.answer] }),
  'POST /investigation/:id/lock-matching': ({ owner, id }) =>
    owner.post(`/investigation/${id}/lock-matching`, { status: 'locked', filter: {} }),
  'POST /investigation/:id/archive-items': ({ owner, id, night }) =>
    owner.post(`/investigation/${id}/archive-items`, { cases: [{ identifier: night }], status: 'archived' }),
  'POST /investigation/:id/delete-items': ({ owner, id, answer }) =>
    owner.post(`/investigation/${id}/delete-items`, {
      responses: [{ identifier: answer }],
      status: 'deleted',
    }),
  'POST /investigation/:id/survey': ({ owner, id }) =>
    owner.post(`/investigation/${id}/survey`, { name: 'Mood', items: [] }),
  'PATCH /survey/:id': ({ owner, survey }) => owner.patch(`/survey/${survey}`, { status: 'archived' }),
  'POST /investigation/:id/member': async ({ owner, id }) => {
    const eve = await signUp('Eve');
    return owner.post(`/investigation/${id}/member`, { user: eve.id, role: 'editor', code: 'E-1' });
  },
  'PATCH /investigation/:id/member/:user': async ({ owner, id, responder, other }) => {
    await owner.patch(`/investigation/${id}/member/${responder.id}`, { code: 'P-17' });
    return owner.patch(`/investigation/${id}/member/${other.id}`, { role: 'editor' });
  },
  'POST /investigation/:id/members/dates': ({ owner, id, other }) =>
    owner.post(`/investigation/${id}/members/dates`, {
      members: [{ user: other.id, participation: { until: '2027-04-11' } }],
    }),
  'DELETE /investigation/:id/member/:user': ({ other, id }) =>
    other.delete(`/investigation/${id}/member/${other.id}`),
  'PATCH /user/:id': ({ responder }) => responder.patch('/user/me', { name: 'Chidi Anagonye' }),
  'DELETE /user/:id': ({ responder }) => responder.delete('/user/me'),
  'POST /user': async ({ owner, id }) => {
    const fay = await stranger('Fay');
    await owner.post(`/investigation/${id}/member`, { email: fay.email, role: 'responder', code: 'P-18' });
    return fay.post('/user', { name: 'Fay' });
  },
  'POST /user/:id/invitations/:investigation/accept': async ({ owner, id }) => {
    const gil = await signUp('Gil');
    await owner.post(`/investigation/${id}/member`, { email: gil.email, role: 'responder' });
    return gil.post(`/user/me/invitations/${id}/accept`);
  },
  'POST /user/:id/invitations/:investigation/decline': 'invitations are not in the feed',
  'PUT /user/:id/pause': 'pauses are not in the list of members',
  'DELETE /user/:id/pause': 'pauses are not in the list of members',
  'POST /survey/:id/download': 'downloads are in no list',
  'POST /notification/:id/receipt': 'reminders are not in the feed',
  'POST /user/me/receipts': 'reminders are not in the feed',
  'POST /notification/:id/snooze': 'reminders are not in the feed',
  'POST /reminders/preview': 'writes nothing',
  'POST /user/:id/device': 'phones are not in the feed',
  'PATCH /device/:id': 'phones are not in the feed',
  'DELETE /device/:id': 'phones are not in the feed',
  'POST /device/:id/test': 'phones are not in the feed',
  'POST /investigation/:id/webhook': 'webhooks are not in the feed',
  'PATCH /webhook/:id': 'webhooks are not in the feed',
  'DELETE /webhook/:id': 'webhooks are not in the feed',
  'POST /webhook/:id/rotate': 'webhooks are not in the feed',
  'POST /webhook/:id/replay': 'webhooks are not in the feed',
  'POST /webhook/:id/test': 'webhooks are not in the feed',
  'POST /relay/events': 'phones are not in the feed',
  'POST /investigation/:id/enrolment': 'codes are not in the feed',
  'DELETE /enrolment/:id': 'codes are not in the feed',
  'POST /investigation/:id/member/:user/relink': 'codes are not in the feed',
  'POST /user/me/token': 'tokens are not in the feed',
  'DELETE /user/me/tokens': 'tokens are not in the feed',
  'POST /survey/:id/reminders/change': 'writes nothing',
  'POST /investigation/:id/activity/review': 'entries of the log are not in the feed',
  'POST /enrol/about': 'writes nothing',
  'POST /user/me/relink': 'codes are not in the feed',
  'POST /investigation/:id/token': ({ owner, id }) => newProgram(world, owner, id),
  'DELETE /investigation/:id/token/:token': 'is seen as of a member who is removed',
  'POST /enrol': async ({ owner, id }) => {
    const { code } = created(await owner.post(`/investigation/${id}/enrolment`, {}));
    return enrol(world, code);
  },
};

describe('each route that writes shows in the feed', () => {
  test('and stands in the table', () => {
    const { routes } = createApp(createServices(env), readConfig(env));
    const found = routes.filter(({ method }) => !['GET', 'ALL'].includes(method));
    expect(Object.keys(writes).sort()).toEqual(
      [...new Set(found.map(({ method, path }) => `${method} ${path}`))].sort(),
    );
  });

  const shown = Object.entries(writes).flatMap(([route, write]) =>
    typeof write === 'string' ? [] : [[route, write] as const],
  );
  test.each(shown)('%s', async (route, write) => {
    const study = await answeredStudy();
    await newPhone(study.responder);
    const copy = newCopy();
    await follow(copy, study.owner, study.id);
    expect(sorted(copy.things)).toEqual(sorted(await listed(study.owner, study)));
    const before = sorted(copy.things);
    later(minutes);
    await write(study);
    const { next } = copy;
    await follow(copy, study.owner, study.id);
    const now = sorted(await listed(study.owner, study));
    expect(sorted(copy.things)).toEqual(now);
    if (route === 'POST /investigation') return;
    expect(now).not.toEqual(before);
    expect(copy.next).toBeGreaterThan(next);
    expect(copy.read).toEqual([...new Set(copy.read)].sort((a, b) => a - b));
  });
});
