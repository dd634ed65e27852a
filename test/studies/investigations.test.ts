import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { dueAt, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};

test('the creator of a study owns it; zone and start have defaults', async () => {
  const ada = await signUp('Ada');
  const created = await ada.post('/investigation', { name: 'Sleep' });
  const id = created.body.identifier;
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    uri: `/investigation/${id}`,
    identifier: id,
    name: 'Sleep',
    timeZone: 'UTC',
    startsOn: '2027-03-01',
    creation: new Date(startOfTests).toISOString(),
    role: 'owner',
    status: 'active',
    lockPolicy: { unlock: 'viewers', signature: false },
  });
  expect((await ada.get(`/investigation/${id}`)).body).toEqual(created.body);

  // Today is another day in Auckland.
  setClock('2027-03-01T12:30:00.000Z');
  const auckland = await ada.post('/investigation', { name: 'Kiwis', timeZone: 'Pacific/Auckland' });
  expect(auckland.body.startsOn).toBe('2027-03-02');
  const past = await ada.post('/investigation', { name: 'Past', startsOn: '1999-12-31' });
  expect(past.body.startsOn).toBe('1999-12-31');
});

test('an impossible study is refused by pointer, and nothing is stored', async () => {
  const ada = await signUp('Ada');
  const { body: study } = await ada.post('/investigation', { name: 'Sleep' });
  const before = await dumpTables();
  for (const [field, value] of [
    ['name', ''],
    ['name', 7],
    ['timeZone', 'UTC+5'],
    ['timeZone', 'europe/paris'],
    ['timeZone', null],
    ['startsOn', '2027-02-29'],
    ['startsOn', '2027-3-1'],
    ['owner', ada.id],
    ['role', 'owner'],
  ] as const) {
    for (const answer of [
      await ada.post('/investigation', { name: 'Dreams', [field]: value }),
      await ada.patch(`/investigation/${study.identifier}`, { [field]: value }),
    ])
      expect([answer.status, answer.body.errors?.[0].pointer], `${field}: ${value}`).toEqual([
        400,
        `/${field}`,
      ]);
  }
  expect((await ada.post('/investigation', {})).body.errors[0].pointer).toBe('/name');
  expect((await ada.patch(`/investigation/${study.identifier}`, { status: 'deleted' })).status).toBe(400);
  expect(await dumpTables()).toEqual(before);
});

test("the caller's studies are listed in order of creation, each with their role", async () => {
  const study = await sleepStudy();
  later(1);
  const own = await study.responder.post('/investigation', { name: 'Own' });
  const { body } = await study.responder.get('/investigation');
  expect(
    body.investigations.map((row: { identifier: string; role: string }) => [row.identifier, row.role]),
  ).toEqual([
    [study.id, 'responder'],
    [own.body.identifier, 'owner'],
  ]);
  const eve = await signUp('Eve');
  expect((await eve.get('/investigation')).body).toEqual({ investigations: [] });
});

test('a change is logged in the words of the interface, and a change of nothing is not', async () => {
  const { owner, id } = await sleepStudy();
  const entries = async () => (await owner.get(`/investigation/${id}/activity`)).body.activities;
  const before = (await entries()).length;
  const changed = await owner.patch(`/investigation/${id}`, {
    name: 'Deep sleep',
    timeZone: 'Europe/Paris',
    startsOn: '2027-04-01',
    status: 'archived',
  });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: 'Deep sleep', startsOn: '2027-04-01', status: 'archived' });
  expect(await entries()).toHaveLength(before + 1);
  expect((await entries())[0]).toMatchObject({
    actor: owner.id,
    action: 'study.changed',
    details: {
      before: { name: 'Sleep', startsOn: '2027-03-01', status: 'active' },
      after: { name: 'Deep sleep', startsOn: '2027-04-01', status: 'archived' },
    },
  });
  expect((await entries())[0].details.after).not.toHaveProperty('timeZone');

  for (const nothing of [{}, { name: 'Deep sleep' }, { status: 'archived' }])
    expect((await owner.patch(`/investigation/${id}`, nothing)).body).toEqual(changed.body);
  expect(await entries()).toHaveLength(before + 1);
  expect((await owner.patch(`/investigation/${id}`, { status: 'active' })).body.status).toBe('active');
  expect((await entries())[0].details).toEqual({
    before: { status: 'archived' },
    after: { status: 'active' },
  });
});

test('an archived study pends no reminders; a returned one goes on', async () => {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  await pendingOf(responder);
  await owner.patch(`/investigation/${study.id}`, { status: 'archived' });
  await pendingOf(responder, 0);
  later(30 * minutes);
  await owner.patch(`/investigation/${study.id}`, { status: 'active' });
  await pendingOf(responder);
  await owner.patch(`/investigation/${study.id}`, { startsOn: '2027-05-01' });
  await eventually(
    'planned for 2027-05-01',
    async () => (await scheduled(responder))[0]?.on === '2027-05-01',
  );
  await owner.patch(`/investigation/${study.id}`, { timeZone: 'Asia/Tokyo' });
  await dueAt(responder, '2027-05-01T12:30:00.000Z');
});

test('of many changes at once none is lost, and each has its entry', async () => {
  const { owner, id } = await sleepStudy();
  const before = (await owner.get(`/investigation/${id}/activity`)).body.activities.length;
  await Promise.all([
    owner.patch(`/investigation/${id}`, { name: 'Dreams' }),
    owner.patch(`/investigation/${id}`, { startsOn: '2027-06-01' }),
    owner.patch(`/investigation/${id}`, { timeZone: 'Asia/Tokyo' }),
  ]);
  expect((await owner.get(`/investigation/${id}`)).body).toMatchObject({
    name: 'Dreams',
    startsOn: '2027-06-01',
    timeZone: 'Asia/Tokyo',
  });
  expect((await owner.get(`/investigation/${id}/activity`)).body.activities).toHaveLength(before + 3);
  expect((await owner.get(`/investigation/${id}/activity/verify`)).body.valid).toBe(true);
});

test("a person's studies come in pages, in order of creation", async () => {
  const [ada, bea] = [await signUp('Ada'), await signUp('Bea')];
  expect((await ada.get('/investigation')).body).toEqual({ investigations: [] });
  const made: string[] = [];
  for (const [n, owner] of [ada, bea, ada, ada, bea].entries()) {
    if (n !== 3) later(1);
    // Later identifiers are smaller, so that they cannot be the order.
    const identifier = `${9 - n}`.repeat(32);
    await owner.post('/investigation', { name: `Study ${n}`, identifier });
    if (owner === bea)
      await bea.post(`/investigation/${identifier}/member`, { user: ada.id, role: 'responder' });
    made.push(identifier);
  }
  // The third and the fourth were created at once.
  const order = [made[0], made[1], made[3], made[2], made[4]];
  const whole = await ada.get('/investigation');
  const identifiersOf = ({ body }: typeof whole) =>
    body.investigations.map((study: { identifier: string }) => study.identifier);
  expect([identifiersOf(whole), 'next' in whole.body]).toEqual([order, false]);
  for (const limit of [1, 2, 4, 5]) {
    const found: string[] = [];
    for (let path: string | undefined = `/investigation?limit=${limit}`; path; ) {
      const page = await ada.get(path);
      expect(page.body.investigations.length).toBeLessThanOrEqual(limit);
      found.push(...identifiersOf(page));
      const { next } = page.body;
      path = next && `/investigation?limit=${limit}&cursor=${next}`;
      expect(page.headers.get('link')).toBe(path ? `<${path}>; rel="next"` : null);
    }
    expect(found, `limit ${limit}`).toEqual(order);
  }
  for (const query of ['limit=0', 'limit=1001', 'cursor=x'])
    expect((await ada.get(`/investigation?${query}`)).body.errors).toMatchObject([
      { parameter: query.split('=')[0] },
    ]);
  expect((await ada.get('/investigation', { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(
    304,
  );
});
