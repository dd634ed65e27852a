import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { diary } from '../support/studies.ts';
import { easyPush, interruptedDb, newApp } from '../support/worker/apps.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { signUp, sleepStudy, stranger } from '../support/worker/world.ts';

/* State that a request has read may change before it writes: each test makes that happen, at that very moment. */

const push = { ...createServices(env).push, ...easyPush };

/** Sends a request; after it has read, and before it writes, something else is done. */
const interrupted = (meanwhile: () => Promise<unknown>, more: object = {}) => {
  const { send } = newApp({ db: interruptedDb(meanwhile), push, ...more });
  return (by: Person, method: string, path: string, body?: object) =>
    send(path, { method, token: by.token, ...(body && { body }) });
};

const newStudy = async (owner: Person): Promise<string> =>
  (await owner.post('/investigation', { name: 'Sleep' })).body.identifier;
const addOwner = (by: Person, study: string, user: Person) =>
  by.post(`/investigation/${study}/member`, { user: user.id, role: 'owner' });
const rowsOf = async (table: string, of: Record<string, unknown>) =>
  ((await dumpTables())[table] ?? []).filter((row) =>
    Object.entries(of).every(([column, value]) => row[column] === value),
  );
const valid = async (owner: Person, study: string) =>
  (await owner.get(`/investigation/${study}/activity/verify`)).body.valid;

describe('signing up', () => {
  test('while the same person signs up elsewhere finds them', async () => {
    const zoe = await stranger('Zoe');
    const ask = interrupted(() => zoe.post('/user', { name: 'Zoe there' }));
    const here = await ask(zoe, 'POST', '/user', { name: 'Zoe here' });
    expect([here.status, here.body.name]).toEqual([200, 'Zoe there']);
    expect(await rowsOf('user', { email: zoe.email })).toHaveLength(1);
  });

  test('while being invited accepts the invitation, in the role of the last word', async () => {
    const [owner, zoe, gil] = [await signUp('Olga'), await stranger('Zoe'), await stranger('Gil')];
    const study = await newStudy(owner);
    const invite = (email: string, role: string) =>
      owner.post(`/investigation/${study}/member`, { email, role });

    const late = interrupted(() => invite(zoe.email, 'editor'));
    const user = await late(zoe, 'POST', '/user', { name: 'Zoe' });
    expect(user.status).toBe(201);
    expect(await rowsOf('member', { user_id: user.body.identifier })).toMatchObject([{ role: 'editor' }]);

    await invite(gil.email, 'owner');
    const changed = interrupted(async () => {
      await owner.delete(`/investigation/${study}/member/${gil.email}`);
      await invite(gil.email, 'responder');
    });
    const other = await changed(gil, 'POST', '/user', { name: 'Gil' });
    expect(await rowsOf('member', { user_id: other.body.identifier })).toMatchObject([{ role: 'responder' }]);
    expect(await rowsOf('invitation', { investigation_id: study })).toEqual([]);
    expect(await valid(owner, study)).toBe(true);
  });

  test('while the invitation is withdrawn gives no membership', async () => {
    const [owner, zoe] = [await signUp('Olga'), await stranger('Zoe')];
    const study = await newStudy(owner);
    await owner.post(`/investigation/${study}/member`, { email: zoe.email, role: 'owner' });
    const ask = interrupted(() => owner.delete(`/investigation/${study}/member/${zoe.email}`));
    const user = await ask(zoe, 'POST', '/user', { name: 'Zoe' });
    expect(user.status).toBe(201);
    expect(await rowsOf('member', { user_id: user.body.identifier })).toEqual([]);
  });
});

describe('adding a member', () => {
  test('an invitation whose address signs up meanwhile waits for an answer', async () => {
    const [owner, zoe] = [await signUp('Olga'), await stranger('Zoe')];
    const study = await newStudy(owner);
    const ask = interrupted(() => zoe.post('/user', { name: 'Zoe' }));
    const invitation = { email: zoe.email, role: 'editor' };
    const added = await ask(owner, 'POST', `/investigation/${study}/member`, invitation);
    expect([added.status, added.body]).toEqual([201, invitation]);
    expect(await rowsOf('member', { investigation_id: study })).toHaveLength(1);
    expect((await zoe.get('/user/me/invitations')).body.invitations).toMatchObject([{ identifier: study }]);
  });

  test('users who delete themselves meanwhile find nobody, and log nothing', async () => {
    const [owner, zoe] = [await signUp('Olga'), await signUp('Zoe')];
    const study = await newStudy(owner);
    const ask = interrupted(() => zoe.delete('/user/me'));
    const added = await ask(owner, 'POST', `/investigation/${study}/member`, { user: zoe.id, role: 'owner' });
    expect(added.status).toBe(404);
    expect(await rowsOf('member', { user_id: zoe.id })).toEqual([]);
    expect(await rowsOf('activity', { investigation_id: study })).toEqual([]);
  });

  test('is refused to an owner who is deposed meanwhile', async () => {
    const [ada, bea, zoe] = [await signUp('Ada'), await signUp('Bea'), await signUp('Zoe')];
    for (const body of [
      { user: zoe.id, role: 'owner' },
      { email: 'guest@example.org', role: 'owner' },
    ]) {
      const study = await newStudy(ada);
      await addOwner(ada, study, bea);
      const ask = interrupted(() =>
        ada.patch(`/investigation/${study}/member/${bea.id}`, { role: 'editor' }),
      );
      const added = await ask(bea, 'POST', `/investigation/${study}/member`, body);
      expect(added.body.code).toBe('action.forbidden');
      expect(await rowsOf('member', { investigation_id: study, user_id: zoe.id })).toEqual([]);
      expect(await rowsOf('invitation', { investigation_id: study })).toEqual([]);
    }
  });
});

describe('the last owner stays', () => {
  test('when both remove, depose or delete themselves or each other', async () => {
    const me = (study: string, person: Person) => `/investigation/${study}/member/${person.id}`;
    const acts: [string, (study: string, self: Person, other: Person) => [string, string, object?]][] = [
      ['leave', (study, self) => ['DELETE', me(study, self)]],
      ['step down', (study, self) => ['PATCH', me(study, self), { role: 'editor' }]],
      ['remove the other', (study, _, other) => ['DELETE', me(study, other)]],
      ['depose the other', (study, _, other) => ['PATCH', me(study, other), { role: 'editor' }]],
      ['delete themselves', () => ['DELETE', '/user/me']],
    ];
    for (const [first, one] of acts)
      for (const [second, two] of acts) {
        const [ada, bea] = await Promise.all([signUp('Ada'), signUp('Bea')]);
        const study = await newStudy(ada);
        await addOwner(ada, study, bea);
        const { send } = newApp({ push });
        const [method, path, body] = two(study, bea, ada);
        const ask = interrupted(() => send(path, { method, token: bea.token, ...(body && { body }) }));
        await ask(ada, ...one(study, ada, bea));
        const what = `${first} / ${second}`;
        expect(await rowsOf('member', { investigation_id: study, role: 'owner' }), what).toHaveLength(1);
      }
  });
});

describe('deleting oneself', () => {
  test('while being added to a study leaves that one too, with its entry', async () => {
    const [owner, zoe] = [await signUp('Olga'), await signUp('Zoe')];
    const study = await newStudy(owner);
    const ask = interrupted(() => addOwner(owner, study, zoe));
    expect((await ask(zoe, 'DELETE', '/user/me')).status).toBe(204);
    expect(await rowsOf('member', { user_id: zoe.id })).toEqual([]);
    const log = await rowsOf('activity', { investigation_id: study });
    expect(log.map((row) => row.action)).toEqual(['member.added', 'member.removed']);
    expect(await valid(owner, study)).toBe(true);
  });

  test('while registering one more phone takes that one from the relay too', async () => {
    const zoe = await signUp('Zoe');
    const { send } = newApp({ push });
    const register = (token: string) =>
      send('/user/me/device', {
        method: 'POST',
        token: zoe.token,
        body: { platform: 'android', token, timeZone: 'UTC' },
      });
    // The second one does not change the user's zone, so it asks for no new plan.
    await register('the-first-phone');
    const removed: string[] = [];
    const remove = async (endpoint: string) => {
      removed.push(endpoint);
      return { state: 'removed' as const };
    };
    const ask = interrupted(() => register('the-late-phone'), { push: { ...push, remove } });
    expect((await ask(zoe, 'DELETE', '/user/me')).status).toBe(204);
    expect(removed.join()).toContain('the-late-phone');
    expect(await rowsOf('device', { user_id: zoe.id })).toEqual([]);
  });

  test('is refused to whoever becomes the last owner while their phones leave the relay', async () => {
    const [ada, bea] = await Promise.all([signUp('Ada'), signUp('Bea')]);
    const study = await newStudy(ada);
    await addOwner(ada, study, bea);
    const phone = { platform: 'android', token: 'the-last-phone', timeZone: 'UTC' };
    await newApp({ push }).send('/user/me/device', { method: 'POST', token: ada.token, body: phone });
    const remove = async () => {
      await bea.delete(`/investigation/${study}/member/me`);
      return { state: 'removed' as const };
    };
    const { send } = newApp({ push: { ...push, remove } });
    const answer = await send('/user/me', { method: 'DELETE', token: ada.token });
    expect([answer.status, answer.body.code]).toEqual([409, 'member.last-owner']);
    expect(await rowsOf('member', { investigation_id: study })).toMatchObject([{ user_id: ada.id }]);
  });

  test('wins over a change of profile, a phone and a study of the same moment', async () => {
    for (const [method, path, body] of [
      ['PATCH', '/user/me', { name: 'Zombie' }],
      ['PATCH', '/user/me', { customRemindersTime: '08:00' }],
      ['POST', '/user/me/device', { platform: 'android', token: 'zombie-phone', timeZone: 'UTC' }],
      ['POST', '/investigation', { name: 'Zombies' }],
    ] as const) {
      const zoe = await signUp('Zoe');
      const { investigation } = await dumpTables();
      const ask = interrupted(() => zoe.delete('/user/me'));
      await ask(zoe, method, path, body);
      expect(await rowsOf('user', { id: zoe.id })).toMatchObject([
        { name: 'Deleted user', custom_reminders_time: null },
      ]);
      expect(await rowsOf('device', { user_id: zoe.id })).toEqual([]);
      expect(await rowsOf('member', { user_id: zoe.id })).toEqual([]);
      expect((await dumpTables()).investigation).toEqual(investigation);
    }
  });
});

describe('a survey', () => {
  const reminders = {
    type: 'rolling',
    recurrence: '30 21 * * *',
    notification: { subject: 'Diary', body: 'How was your night?' },
  };

  test('that is renamed keeps the reminders it got meanwhile, and their revision', async () => {
    const study = await sleepStudy();
    const path = `/survey/${study.survey}`;
    for (const change of [{ name: 'Naps' }, { items: diary.slice(0, 1) }, { status: 'archived' }]) {
      const next = { ...reminders, expiresAfter: 60 + JSON.stringify(change).length };
      const ask = interrupted(() => study.owner.patch(path, { reminders: next }));
      const answer = await ask(study.editor, 'PATCH', path, change);
      expect(answer.status).toBe(200);
      expect((await study.owner.get(path)).body).toMatchObject({
        reminders: next,
        ...('status' in change ? { archivedAt: expect.any(String) } : change),
      });
    }
    expect(await rowsOf('survey', { id: study.survey })).toMatchObject([{ reminders_revision: 3 }]);
  });

  test('is neither made nor changed by who lost the role meanwhile', async () => {
    const study = await sleepStudy();
    const member = `/investigation/${study.id}/member/${study.editor.id}`;
    const before = await rowsOf('survey', { investigation_id: study.id });
    for (const more of [{}, { reminders }])
      for (const [method, path] of [
        ['POST', `/investigation/${study.id}/survey`],
        ['PATCH', `/survey/${study.survey}`],
      ] as const) {
        await study.owner.patch(member, { role: 'editor' });
        const ask = interrupted(() => study.owner.patch(member, { role: 'responder' }));
        const answer = await ask(study.editor, method, path, { name: 'Mine', items: [], ...more });
        expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'action.forbidden']);
      }
    expect(await rowsOf('survey', { investigation_id: study.id })).toEqual(before);
  });
});

test('a study is not changed by who lost the role meanwhile', async () => {
  const [ada, bea] = [await signUp('Ada'), await signUp('Bea')];
  const study = await newStudy(ada);
  await addOwner(ada, study, bea);
  const ask = interrupted(() => ada.delete(`/investigation/${study}/member/${bea.id}`));
  const answer = await ask(bea, 'PATCH', `/investigation/${study}`, { name: 'Mine' });
  expect(answer.body.code).toBe('resource.not-found');
  expect((await ada.get(`/investigation/${study}`)).body.name).toBe('Sleep');
});
