import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { easyPush, newApp } from '../support/worker/apps.ts';
import { startOfTests } from '../support/worker/clock.ts';
import { remindersOf } from '../support/worker/reminder-tables.ts';
import { scheduled } from '../support/worker/reminders.ts';
import { endpointsOf } from '../support/worker/sns.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { newPhone, send, signUp, sleepStudy, stranger, tokenOf } from '../support/worker/world.ts';

const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};
const activity = async (owner: Person, study: string) =>
  (await owner.get(`/investigation/${study}/activity`)).body.activities;
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
const memberIds = async (owner: Person, study: string): Promise<any[]> =>
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  (await owner.get(`/investigation/${study}/members`)).body.members.map((row: any) => row.identifier);
const newStudy = async (owner: Person, more: object = {}): Promise<string> =>
  (await owner.post('/investigation', { name: 'Sleep', ...more })).body.identifier;

describe('signing up', () => {
  test('makes a user, once: a repeat answers with the same one, unchanged', async () => {
    const ada = await stranger('Ada');
    const first = await ada.post('/user', {
      name: 'Ada',
      timeZone: 'Europe/Paris',
      customRemindersTime: '08:30',
    });
    const id = first.body.identifier;
    expect(first.status).toBe(201);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(first.body).toEqual({
      uri: `/user/${id}`,
      identifier: id,
      name: 'Ada',
      avatar: `/user/${id}/avatar`,
      timeZone: 'Europe/Paris',
      customRemindersTime: '08:30',
      devices: [],
    });
    const again = await ada.post('/user', { name: 'Somebody else', timeZone: 'UTC' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    for (const path of ['/user/me', `/user/${id}`]) expect((await ada.get(path)).body).toEqual(first.body);
  });

  test('needs a name, and takes nothing that it does not know', async () => {
    const ada = await stranger('Ada');
    for (const [body, pointer] of [
      [{}, '/name'],
      [{ name: ' \t' }, '/name'],
      [{ name: 'x'.repeat(201) }, '/name'],
      [{ name: 'A\0' }, '/name'],
      [{ name: 'Ada', timeZone: '+05:30' }, '/timeZone'],
      [{ name: 'Ada', timeZone: 'europe/paris' }, '/timeZone'],
      [{ name: 'Ada', customRemindersTime: '8:30' }, '/customRemindersTime'],
      [{ name: 'Ada', email: 'ada@example.org' }, '/email'],
    ] as const) {
      const answer = await ada.post('/user', body);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.errors[0].pointer).toBe(pointer);
    }
    expect((await ada.get('/user/me')).body.code).toBe('user.not-signed-up');
  });

  test('one subject of two issuers would be two people; one of many sign-ups at once is one', async () => {
    const ada = await stranger('Ada');
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    await owner.post(`/investigation/${study}/member`, { email: ada.email, role: 'responder' });
    const isolates = [newApp(), newApp(), newApp()];
    const before = await dumpTables();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        isolates[n % 3]?.send('/user', { method: 'POST', token: ada.token, body: { name: `Ada ${n}` } }),
      ),
    );
    expect(answers.map((answer) => answer?.status).toSorted()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
    const after = await dumpTables();
    for (const table of ['user', 'member', 'activity'])
      expect(after[table]?.length, table).toBe((before[table]?.length ?? 0) + 1);
  });

  test('accepts the invitations of a verified address: membership, log entry and reminders', async () => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner, { timeZone: 'Europe/Paris' });
    const survey = { name: 'Diary', items: [], reminders: daily };
    await owner.post(`/investigation/${study}/survey`, survey);
    const invited = await owner.post(`/investigation/${study}/member`, {
      email: 'Chidi.A@Example.org',
      role: 'responder',
    });
    expect(invited.status).toBe(201);
    expect(invited.body).toEqual({ email: 'chidi.a@example.org', role: 'responder' });
    const entries = (await activity(owner, study)).length;

    const token = await tokenOf('chidi', { email: 'CHIDI.A@example.ORG' });
    const user = await send('/user', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Chidi', timeZone: 'Asia/Tokyo' }),
    });
    const id = user.body.identifier;
    const { body } = await owner.get(`/investigation/${study}/members`);
    expect(body.invitations).toEqual([]);
    expect(body.members).toContainEqual({
      user: `/user/${id}`,
      identifier: id,
      name: 'Chidi',
      avatar: `/user/${id}/avatar`,
      role: 'responder',
      invitedAs: 'chidi.a@example.org',
    });
    const log = await activity(owner, study);
    expect(log).toHaveLength(entries + 1);
    expect(log[0]).toMatchObject({
      actor: id,
      action: 'member.added',
      details: { member: id, before: { role: null }, after: { role: 'responder' }, invitedBy: owner.id },
    });
    expect((await owner.get(`/investigation/${study}/activity/verify`)).body.valid).toBe(true);
    const { body: pending } = await send('/user/me/notifications', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(pending.notifications).toMatchObject([{ state: 'scheduled', dueAt: '2027-03-01T12:30:00.000Z' }]);
  });

  test.each([
    ['true', true],
    [true, true],
    [false, false],
    ['false', false],
    [undefined, false],
    [1, false],
    ['yes', false],
  ])('an address whose email_verified is %s is used: %s', async (verified, used) => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    const email = `zoe-${String(verified)}-${typeof verified}@example.org`;
    await owner.post(`/investigation/${study}/member`, { email, role: 'responder' });
    const { send: ask } = newApp();
    const token = await tokenOf(email, { email, email_verified: verified });
    const answer = await ask('/user', { method: 'POST', token, body: { name: 'Zoe' } });
    expect(answer.status).toBe(201);
    expect((await memberIds(owner, study)).includes(answer.body.identifier)).toBe(used);
  });

  test('people who are invited in the moment of signing up become members then, or by signing up again', async () => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    const { send: ask } = newApp();
    for (let n = 0; n < 4; n++) {
      const zoe = await stranger('Zoe');
      const [invited, user] = await Promise.all([
        owner.post(`/investigation/${study}/member`, { email: zoe.email, role: 'responder' }),
        ask('/user', { method: 'POST', token: zoe.token, body: { name: 'Zoe' } }),
      ]);
      expect([invited.status, user.status]).toEqual([201, 201]);
      expect((await zoe.post('/user', { name: 'Zoe' })).status).toBe(200);
      expect(await memberIds(owner, study)).toContain(user.body.identifier);
    }
    expect((await owner.get(`/investigation/${study}/members`)).body.invitations).toEqual([]);
    expect((await owner.get(`/investigation/${study}/activity/verify`)).body).toMatchObject({
      valid: true,
      entries: 4,
    });
  });
});

describe('a profile', () => {
  test('is changed by its owner; null clears', async () => {
    const ada = await signUp('Ada', { timeZone: 'Europe/Paris', customRemindersTime: '08:30' });
    const changed = await ada.patch('/user/me', { name: 'Ada L.', timeZone: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ name: 'Ada L.', timeZone: null, customRemindersTime: '08:30' });
    expect((await ada.patch(`/user/${ada.id}`, { customRemindersTime: null })).body).toMatchObject({
      name: 'Ada L.',
      timeZone: null,
      customRemindersTime: null,
    });
    expect((await ada.get('/user/me')).body.name).toBe('Ada L.');
    expect((await ada.patch('/user/me', {})).status).toBe(200);
    for (const body of [
      { name: null },
      { devices: [] },
      { email: 'x@example.org' },
      { customRemindersTime: '24:00' },
    ])
      expect((await ada.patch('/user/me', body)).status, JSON.stringify(body)).toBe(400);
  });

  test('takes two changes at once without losing one', async () => {
    const ada = await signUp('Ada');
    for (let n = 0; n < 5; n++) {
      await Promise.all([
        ada.patch('/user/me', { name: `Ada ${n}` }),
        ada.patch('/user/me', { timeZone: n % 2 ? 'Asia/Tokyo' : 'Europe/Paris' }),
        ada.patch('/user/me', { customRemindersTime: `0${n}:00` }),
      ]);
      expect((await ada.get('/user/me')).body).toMatchObject({
        name: `Ada ${n}`,
        timeZone: n % 2 ? 'Asia/Tokyo' : 'Europe/Paris',
        customRemindersTime: `0${n}:00`,
      });
    }
  });

  test('shows co-members four fields, and others nothing', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    await newPhone(responder);
    const seen = await owner.get(`/user/${responder.id}`);
    expect(seen.body).toEqual({
      uri: `/user/${responder.id}`,
      identifier: responder.id,
      name: 'Chidi',
      avatar: `/user/${responder.id}/avatar`,
    });
    expect((await responder.get('/user/me')).body.devices).toHaveLength(1);
    const eve = await signUp('Eve');
    const unseen = await eve.get(`/user/${responder.id}`);
    const nobody = await eve.get(`/user/${'0'.repeat(32)}`);
    expect([unseen.status, unseen.text]).toEqual([404, nobody.text]);
  });

  test('says while it is paused until when', async () => {
    const ada = await signUp('Ada');
    const until = new Date(startOfTests + 3600_000).toISOString();
    const paused = await ada.put('/user/me/pause', { until });
    expect(paused.status).toBe(200);
    expect(paused.body).toMatchObject({ identifier: ada.id, pausedUntil: until });
    expect((await ada.put('/user/me/pause', { until: null })).body.pausedUntil).toBe(null);
    expect((await ada.get('/user/me')).body.pausedUntil).toBe(null);
    expect((await ada.put('/user/me/pause', { until: '2027-03-01T07:00:00.000Z' })).body).not.toHaveProperty(
      'pausedUntil',
    );
    await ada.put('/user/me/pause', { until });
    const ended = await ada.delete('/user/me/pause');
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect((await ada.delete('/user/me/pause')).status).toBe(204);
    expect((await ada.get('/user/me')).body).not.toHaveProperty('pausedUntil');
    for (const body of [
      {},
      { until: 'tomorrow' },
      { until: '2027-03-01' },
      { until: '9999-12-31T23:59:59-23:59' },
      { until: 5 },
      { until: null, for: 1 },
    ])
      expect((await ada.put('/user/me/pause', body)).status, JSON.stringify(body)).toBe(400);
  });
});

describe('an avatar', () => {
  const letters = async (name: string) => {
    const person = await signUp('Ada');
    await person.patch('/user/me', { name });
    const answer = await person.get('/user/me/avatar');
    expect(answer.status).toBe(200);
    return />([^<>]*)<\/text>/.exec(answer.text)?.[1];
  };

  test('is an image that runs nothing, even opened by itself', async () => {
    const ada = await signUp('Ada');
    const { headers, text } = await ada.get(`/user/${ada.id}/avatar`);
    expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toMatch(/^public, max-age=/);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(text).toContain('>A</text>');
  });

  test('needs no token and is shown on other pages; of who left and of nobody it is the same neutral one', async () => {
    const ada = await signUp('Ada');
    const path = `/user/${ada.id}/avatar`;
    const shown = await send(path);
    expect([shown.status, shown.text]).toEqual([200, (await ada.get('/user/me/avatar')).text]);
    expect(shown.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await ada.get('/user/me')).headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const tag = shown.headers.get('etag') ?? '';
    expect((await send(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await send('/user/me/avatar')).status).toBe(401);

    await ada.delete('/user/me');
    const gone = await send(path);
    const nobody = await send(`/user/${'0'.repeat(32)}/avatar`);
    expect([gone.status, gone.text, [...gone.headers.keys()]]).toEqual([
      200,
      nobody.text,
      [...nobody.headers.keys()],
    ]);
    expect(gone.text).not.toContain('<text');
  });

  test.each([
    ['Ada Lovelace', 'AL'],
    ['ada king lovelace', 'AL'],
    ['élodie ñandú', 'ÉÑ'],
    ['👩‍👩‍👧‍👦 Familie', '👩‍👩‍👧‍👦F'],
    ['שרה לוי', 'של'],
    ['山田 太郎', '山太'],
    ['(Bob) "Smith"', 'BS'],
    ['7 of 9', '79'],
    ['\u200b', '?'],
    ['<script>alert(1)</script>', '&#60;'],
  ])('of %j shows %s', async (name, expected) => {
    expect(await letters(name)).toBe(expected);
  });
});

describe('deleting oneself', () => {
  test('takes devices, reminders, memberships and the name, and leaves the answers', async () => {
    const study = await sleepStudy(daily);
    const { owner, responder } = study;
    const phone = await newPhone(responder);
    expect(await endpointsOf(phone.token)).toHaveLength(1);
    const night = await newCase(study, responder);
    const answer = await newResponse(study, responder, night);
    expect(await scheduled(responder)).toHaveLength(1);
    const entries = (await activity(owner, study.id)).length;
    await responder.patch('/user/me', {
      timeZone: 'Asia/Tokyo',
      customRemindersTime: '20:00',
      quietHours: { from: '22:00', to: '07:00' },
    });
    await responder.put('/user/me/pause', { until: null });

    const gone = await responder.delete('/user/me');
    expect([gone.status, gone.text]).toEqual([204, '']);

    expect(await endpointsOf(phone.token)).toEqual([]);
    const { user, device, member } = await dumpTables();
    const mine = (rows: Record<string, unknown>[] = []) => rows.filter((row) => row.user_id === responder.id);
    expect([mine(device), mine(member), await remindersOf({ users: [responder.id] })]).toEqual([[], [], []]);
    const left = user?.find((row) => row.id === responder.id) ?? {};
    expect(left).toMatchObject({ name: 'Deleted user', issuer: null, subject: null, email: null });
    expect(Object.keys(left).filter((column) => left[column] !== null)).toEqual([
      'id',
      'email_proved_at',
      'name',
      'named_at',
      'study_count',
      'created_at',
      'deleted_at',
    ]);
    expect((await owner.get(`/response/${answer}`)).body.items).toEqual({ q1: 'well' });
    const { body: list } = await owner.get(`/investigation/${study.id}/responses`);
    expect(list.responses).toMatchObject([{ responder: responder.id, name: 'Deleted user' }]);
    const { body: cases } = await owner.get(`/investigation/${study.id}/cases`);
    expect(cases.cases).toMatchObject([{ creatorIdentifier: responder.id, creatorNames: 'Deleted user' }]);
    const log = await activity(owner, study.id);
    expect(log).toHaveLength(entries + 1);
    expect(log[0]).toMatchObject({
      actor: responder.id,
      actorName: 'Deleted user',
      action: 'member.removed',
      details: { member: responder.id, before: { role: 'responder' }, after: { role: null } },
    });
    expect((await owner.get(`/user/${responder.id}`)).status).toBe(404);
    expect((await responder.get('/user/me')).body.code).toBe('user.not-signed-up');
  });

  test('lets the same person sign up as somebody new', async () => {
    const ada = await signUp('Ada');
    await newStudy(ada);
    const olga = await signUp('Olga');
    const study = (await ada.get('/investigation')).body.investigations[0].identifier;
    await ada.post(`/investigation/${study}/member`, { user: olga.id, role: 'owner' });
    expect((await ada.delete(`/user/${ada.id}`)).status).toBe(204);
    const again = await ada.post('/user', { name: 'Ada again' });
    expect(again.status).toBe(201);
    expect(again.body.identifier).not.toBe(ada.id);
    expect((await ada.get('/user/me')).body.name).toBe('Ada again');
    expect((await ada.get('/investigation')).body.investigations).toEqual([]);
  });

  test('is refused to the last owner of a study, and nothing is done', async () => {
    const study = await sleepStudy();
    const phone = await newPhone(study.owner);
    const before = await dumpTables();
    const endpoints = await endpointsOf(phone.token);
    const answer = await study.owner.delete('/user/me');
    expect([answer.status, answer.body.code]).toEqual([409, 'member.last-owner']);
    expect(await dumpTables()).toEqual(before);
    expect(endpoints).toHaveLength(1);
    expect(await endpointsOf(phone.token)).toEqual(endpoints);
  });

  test('waits for a relay that is out of reach, and nothing is done', async () => {
    const study = await sleepStudy();
    await newPhone(study.responder);
    const tables = async () => {
      const { device, ...rest } = await dumpTables();
      // That the relay may have removed a phone is noted until the sweep has seen to it.
      return { ...rest, device: device?.map((row) => ({ ...row, changed_at: null })) };
    };
    const before = await tables();
    const push = { ...createServices(env).push, ...easyPush };
    const down = newApp({
      push: { ...push, remove: async () => ({ state: 'unavailable', error: 'Timeout' }) },
    });
    const answer = await down.send('/user/me', { method: 'DELETE', token: study.responder.token });
    expect([answer.status, answer.body.code]).toEqual([503, 'relay.unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await tables()).toEqual(before);
    expect((await study.responder.get('/user/me')).status).toBe(200);
  });

  test('of two owners at once leaves one', async () => {
    for (let n = 0; n < 3; n++) {
      const [ada, bea] = await Promise.all([signUp('Ada'), signUp('Bea')]);
      const study = await newStudy(ada);
      await ada.post(`/investigation/${study}/member`, { user: bea.id, role: 'owner' });
      const answers = await Promise.all([ada.delete('/user/me'), bea.delete('/user/me')]);
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([204, 409]);
    }
  });

  test('while being added to a study, or registering a phone, leaves nothing behind', async () => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    const { send: ask } = newApp({ push: { ...createServices(env).push, ...easyPush } });
    for (let n = 0; n < 4; n++) {
      const zoe = await signUp('Zoe');
      const phone = { platform: 'android', token: `race-${n}`, timeZone: 'UTC' };
      const [added, , gone] = await Promise.all([
        owner.post(`/investigation/${study}/member`, { user: zoe.id, role: 'owner' }),
        ask('/user/me/device', { method: 'POST', token: zoe.token, body: phone }),
        ask('/user/me', { method: 'DELETE', token: zoe.token }),
      ]);
      expect([201, 404]).toContain(added.status);
      expect(gone.status, gone.text).toBe(204);
      const { member, device } = await dumpTables();
      expect(member?.filter((row) => row.user_id === zoe.id)).toEqual([]);
      expect(device?.filter((row) => row.user_id === zoe.id)).toEqual([]);
    }
    expect((await owner.get(`/investigation/${study}/activity/verify`)).body.valid).toBe(true);
  });
});

describe('another isolate, which remembers a user who was deleted', () => {
  const phone = { platform: 'android', token: 'late-phone', timeZone: 'UTC' };
  const preview = {
    reminders: { type: 'rolling', recurrence: '0 9 * * *' },
    timeZone: 'UTC',
    startsOn: '2027-03-01',
  };

  test('says that they are not signed up, whatever they ask, and changes nothing', async () => {
    const study = await sleepStudy(daily);
    const { responder } = study;
    const night = await newCase(study, responder);
    const calls: [string, string, object?][] = [
      ['GET', '/user/me'],
      ['PATCH', '/user/me', { name: 'Zombie' }],
      ['PUT', '/user/me/pause', { until: null }],
      ['DELETE', '/user/me/pause'],
      ['DELETE', '/user/me'],
      ['GET', '/user/me/avatar'],
      ['GET', '/user/me/notifications'],
      ['GET', '/user/me/devices'],
      ['POST', '/user/me/device', phone],
      ['GET', `/user/${responder.id}`],
      ['GET', '/investigation'],
      ['POST', '/investigation', { name: 'Zombies' }],
      ['GET', `/investigation/${study.id}`],
      ['POST', `/investigation/${study.id}/case`, { label: 'Night' }],
      ['POST', `/survey/${study.survey}/response`, { case: night, items: {} }],
      ['POST', `/survey/${study.survey}/download`],
      ['GET', '/nowhere'],
    ];
    const push = { ...createServices(env).push, ...easyPush };
    const isolates = calls.map(() => newApp({ push }));
    for (const { send: ask } of isolates)
      expect((await ask('/user/me', { token: responder.token })).status).toBe(200);
    expect((await responder.delete('/user/me')).status).toBe(204);

    const before = await dumpTables();
    for (const [n, [method, path, body]] of calls.entries()) {
      const ask = isolates[n]?.send;
      const answer = await ask?.(path, { method, token: responder.token, ...(body && { body }) });
      expect([answer?.status, answer?.body?.code], `${method} ${path}`).toEqual([403, 'user.not-signed-up']);
      // From now on it knows.
      const next = await ask?.('/reminders/preview', {
        method: 'POST',
        token: responder.token,
        body: preview,
      });
      expect(next?.status).toBe(403);
    }
    // The relay gave the phone an endpoint before the user was missed: it will be removed there.
    const { device, ...rest } = await dumpTables();
    expect({ ...rest, device: device?.filter(({ token }) => token !== 'late-phone') }).toEqual(before);
    const late = device?.filter(({ token }) => token === 'late-phone');
    expect(late).toMatchObject([{ user_id: null, changed_at: expect.any(Number) }]);
  });

  test('asks to repeat the request when they have signed up again, and then knows them', async () => {
    const ada = await signUp('Ada');
    const { send: ask } = newApp();
    await ask('/user/me', { token: ada.token });
    await ada.delete('/user/me');
    const again = await ada.post('/user', { name: 'Ada again' });
    const first = await ask('/user/me', { token: ada.token });
    expect([first.status, first.body.code, first.headers.get('retry-after')]).toEqual([
      503,
      'user.changed',
      '1',
    ]);
    const second = await ask('/user/me', { token: ada.token });
    expect([second.status, second.text]).toEqual([200, again.text]);
  });

  test('knows them at once when they sign up again with it', async () => {
    const ada = await signUp('Ada');
    const { send: ask } = newApp();
    await ask('/user/me', { token: ada.token });
    await ada.delete('/user/me');
    const again = await ask('/user', { method: 'POST', token: ada.token, body: { name: 'Ada again' } });
    expect(again.status).toBe(201);
    const me = await ask('/user/me', { token: ada.token });
    expect([me.status, me.text]).toEqual([200, again.text]);
  });
});
