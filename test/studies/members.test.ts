import { describe, expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import type { Person } from '../support/people.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { history, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { newPhone, send, signUp, sleepStudy, stranger, tokenOf } from '../support/worker/world.ts';

const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};
const newStudy = async (owner: Person): Promise<string> =>
  (await owner.post('/investigation', { name: 'Sleep' })).body.identifier;
const membersOf = async (asker: Person, study: string, query = '') =>
  (await asker.get(`/investigation/${study}/members${query}`)).body;
const rolesOf = async (asker: Person, study: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await membersOf(asker, study)).members.map((row: { name: string; role: string }) => [
      row.name,
      row.role,
    ]),
  );
const activity = async (owner: Person, study: string) =>
  (await owner.get(`/investigation/${study}/activity`)).body.activities;

/** The effect of one request: its answer, and the entries that it added to the log. */
async function logged(owner: Person, study: string, request: () => ReturnType<Person['get']>) {
  const before = await activity(owner, study);
  const answer = await request();
  const after = await activity(owner, study);
  return { answer, entries: after.slice(0, after.length - before.length) };
}

describe('adding', () => {
  test('by identifier: a membership, its entry in the log, and its reminders', async () => {
    const study = await sleepStudy(daily);
    const { owner } = study;
    const zoe = await signUp('Zoe');
    await newPhone(zoe);
    const { answer, entries } = await logged(owner, study.id, () =>
      owner.post(`/investigation/${study.id}/member`, { user: zoe.id, role: 'editor' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: `/user/${zoe.id}`,
      identifier: zoe.id,
      name: 'Zoe',
      avatar: `/user/${zoe.id}/avatar`,
      role: 'editor',
    });
    expect(entries).toMatchObject([
      {
        actor: owner.id,
        action: 'member.added',
        details: { member: zoe.id, before: { role: null }, after: { role: 'editor' } },
      },
    ]);
    expect(await scheduled(zoe)).toHaveLength(1);
  });

  test('again changes nothing, and another role is not slipped in', async () => {
    const study = await sleepStudy();
    const { owner, editor } = study;
    const before = await dumpTables();
    const again = await owner.post(`/investigation/${study.id}/member`, { user: editor.id, role: 'editor' });
    expect([again.status, again.body.role]).toEqual([200, 'editor']);
    const other = await owner.post(`/investigation/${study.id}/member`, {
      user: editor.id,
      role: 'owner',
    });
    expect([other.status, other.body.code]).toEqual([409, 'member.exists']);
    expect(await dumpTables()).toEqual(before);
  });

  test('an unknown identifier and that of a deleted user are not found, and look the same', async () => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    const zoe = await signUp('Zoe');
    await zoe.delete('/user/me');
    const add = (user: string) => owner.post(`/investigation/${study}/member`, { user, role: 'editor' });
    const never = await add(newIdentifier(Date.now()));
    expect([never.status, never.body.errors[0].pointer]).toEqual([404, '/user']);
    expect((await add(zoe.id)).text).toBe(never.text);
    for (const body of [
      { role: 'editor' },
      { user: zoe.id },
      { user: zoe.id, email: zoe.email, role: 'editor' },
      { user: zoe.id, role: 'admin' },
      { user: 'ZOE', role: 'editor' },
      { email: 'zoe', role: 'editor' },
      { email: `${'z'.repeat(250)}@example.org`, role: 'editor' },
      { email: zoe.email, role: 'editor', note: 'hi' },
    ])
      expect((await owner.post(`/investigation/${study}/member`, body)).status, JSON.stringify(body)).toBe(
        400,
      );
  });

  test('an address waits as an invitation, which owners see and withdraw', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder } = study;
    const path = `/investigation/${study.id}/member`;
    const invitation = { email: 'zoe+study@example.org', role: 'responder' };
    setClock(startOfTests);
    const first = await owner.post(path, invitation);
    expect([first.status, first.body]).toEqual([201, invitation]);
    expect((await owner.post(path, invitation)).status).toBe(200);
    const other = await owner.post(path, { ...invitation, role: 'editor' });
    expect([other.status, other.body.code]).toEqual([409, 'invitation.exists']);
    setClock(startOfTests + 60_000);
    const pending = { ...invitation, invitedAt: new Date(startOfTests).toISOString() };
    expect((await membersOf(owner, study.id)).invitations).toEqual([pending]);
    for (const asker of [editor, responder])
      expect((await membersOf(asker, study.id)).invitations).toEqual([]);

    const address = encodeURIComponent('Zoe+Study@example.org');
    expect((await editor.delete(`${path}/${address}`)).body.code).toBe('action.forbidden');
    const eve = await signUp('Eve');
    expect((await eve.delete(`${path}/${address}`)).status).toBe(404);
    expect((await membersOf(owner, study.id)).invitations).toHaveLength(1);
    expect((await owner.delete(`${path}/${address}`)).status).toBe(204);
    expect((await owner.delete(`${path}/${address}`)).status).toBe(404);
    expect((await membersOf(owner, study.id)).invitations).toEqual([]);
  });
});

describe('the list of members', () => {
  test('is paged, with the invitations, and complete', async () => {
    const owner = await signUp('Olga');
    const study = await newStudy(owner);
    const people = await Promise.all(Array.from({ length: 4 }, () => signUp('Zoe')));
    for (const { id } of people)
      await owner.post(`/investigation/${study}/member`, { user: id, role: 'responder' });
    const addresses = Array.from({ length: 7 }, (_, n) => `guest-${n}@example.org`);
    for (const email of addresses)
      await owner.post(`/investigation/${study}/member`, { email, role: 'responder' });

    const seen: { members: string[]; invitations: string[] } = { members: [], invitations: [] };
    let path = `/investigation/${study}/members?limit=2`;
    for (let page = 0; page < 4; page++) {
      const { body, headers } = await owner.get(path);
      seen.members.push(...body.members.map((row: { identifier: string }) => row.identifier));
      seen.invitations.push(...body.invitations.map((row: { email: string }) => row.email));
      const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      expect(next !== undefined, `page ${page}`).toBe(page < 3);
      expect(body.next !== undefined).toBe(page < 3);
      path = next ?? '';
    }
    expect(seen.members).toEqual([owner, ...people].map(({ id }) => id).toSorted());
    expect(seen.invitations).toEqual(addresses);

    const everything = await membersOf(owner, study);
    expect([everything.members.length, everything.invitations.length, everything.next]).toEqual([
      5,
      7,
      undefined,
    ]);
    for (const query of ['?limit=0', '?limit=1001', '?cursor=x', '?page=2'])
      expect((await owner.get(`/investigation/${study}/members${query}`)).status, query).toBe(400);
  });
});

describe('members of a role', () => {
  const { measure } = countedApp();

  test('are listed in pages, with the invitations of any', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder, other } = study;
    const path = `/investigation/${study.id}/members`;
    const listed = async (query: string) => {
      const { members, invitations } = (await owner.get(`${path}${query}`)).body;
      return [members.map(({ identifier }: { identifier: string }) => identifier), invitations.length];
    };
    await owner.post(`/investigation/${study.id}/member`, { email: 'kim@example.org', role: 'editor' });
    expect(await listed('?role=owner')).toEqual([[owner.id], 1]);
    expect(await listed('?role=editor')).toEqual([[editor.id], 1]);
    expect(await listed('?role=responder')).toEqual([[responder.id, other.id].toSorted(), 1]);
    await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { role: 'editor' });
    const first = (await owner.get(`${path}?role=editor&limit=1`)).body;
    const second = (await owner.get(`${path}?role=editor&limit=1&cursor=${first.next}`)).body;
    expect([...first.members, ...second.members].map(({ role }) => role)).toEqual(['editor', 'editor']);
    expect(second.next).toBeUndefined();
    expect((await owner.get(`${path}?role=boss`)).body.errors).toEqual([
      { parameter: 'role', detail: 'Expected owner, editor, monitor or responder.' },
    ]);
  });

  test('cost what they are, and the last owner what one is, among thousands of participants', async () => {
    const study = await sleepStudy();
    await addMembers(study, 5000);
    for (const [query, returned] of [
      ['?role=owner', 1],
      ['?role=editor', 1],
      ['?role=responder&limit=10', 10],
      ['?limit=1000', 1000],
    ] as const) {
      const { answer, ...cost } = await measure(
        study.owner,
        'GET',
        `/investigation/${study.id}/members${query}`,
      );
      expect(answer.body.members, query).toHaveLength(returned);
      expect(cost.roundTrips).toBe(1);
      expect(cost.rowsRead, query).toBeLessThanOrEqual(3 * returned + 20);
    }
    const seen = await measure(study.responder, 'GET', `/investigation/${study.id}/members`);
    expect(seen.answer.body.members).toHaveLength(3);
    expect(seen.rowsRead).toBeLessThanOrEqual(40);
    const { rowsRead } = await measure(
      study.owner,
      'PATCH',
      `/investigation/${study.id}/member/${study.editor.id}`,
      { role: 'owner' },
    );
    expect(rowsRead).toBeLessThanOrEqual(30);
  });
});

describe('roles', () => {
  test('are changed by owners, with an entry in the log that says from what to what', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder } = study;
    const path = `/investigation/${study.id}/member/${responder.id}`;
    const { answer, entries } = await logged(owner, study.id, () => owner.patch(path, { role: 'editor' }));
    expect([answer.status, answer.body.role]).toEqual([200, 'editor']);
    expect(entries).toMatchObject([
      {
        actor: owner.id,
        action: 'member.role-changed',
        details: { member: responder.id, before: { role: 'responder' }, after: { role: 'editor' } },
      },
    ]);
    const again = await logged(owner, study.id, () => owner.patch(path, { role: 'editor' }));
    expect([again.answer.status, again.entries]).toEqual([200, []]);
    expect((await editor.patch(`/investigation/${study.id}/member/me`, { role: 'owner' })).status).toBe(403);
    expect((await owner.patch(path, { role: 'king' })).status).toBe(400);
    expect((await owner.patch(`/investigation/${study.id}/member/x`, { role: 'owner' })).status).toBe(404);
    // The member has the access of the new role at once.
    expect((await responder.get(`/investigation/${study.id}/activity`)).status).toBe(200);
  });

  test('the last owner stays an owner, and a member', async () => {
    const study = await sleepStudy();
    const { owner, editor } = study;
    const me = `/investigation/${study.id}/member/me`;
    const before = await dumpTables();
    for (const answer of [await owner.patch(me, { role: 'editor' }), await owner.delete(me)])
      expect([answer.status, answer.body.code]).toEqual([409, 'member.last-owner']);
    expect((await owner.patch(me, { role: 'owner' })).status).toBe(200);
    expect(await dumpTables()).toEqual(before);

    await owner.patch(`/investigation/${study.id}/member/${editor.id}`, { role: 'owner' });
    expect((await owner.delete(me)).status).toBe(204);
    expect(await rolesOf(editor, study.id)).toEqual({
      Bruno: 'owner',
      Chidi: 'responder',
      Dana: 'responder',
    });
    expect((await owner.get(`/investigation/${study.id}`)).status).toBe(404);
  });

  test.each<[string, (first: Person, second: Person, study: string) => ReturnType<Person['get']>]>([
    [
      'remove each other',
      (first, second, study) => first.delete(`/investigation/${study}/member/${second.id}`),
    ],
    ['leave', (first, _, study) => first.delete(`/investigation/${study}/member/me`)],
    [
      'depose each other',
      (first, second, study) =>
        first.patch(`/investigation/${study}/member/${second.id}`, { role: 'editor' }),
    ],
    ['step down', (first, _, study) => first.patch(`/investigation/${study}/member/me`, { role: 'editor' })],
  ])('of two owners who %s at once, one stays owner', async (_, act) => {
    const [ada, bea] = await Promise.all([signUp('Ada'), signUp('Bea')]);
    for (let n = 0; n < 3; n++) {
      const study = await newStudy(ada);
      await ada.post(`/investigation/${study}/member`, { user: bea.id, role: 'owner' });
      await Promise.all([act(ada, bea, study), act(bea, ada, study)]);
      const { member, activity: log } = await dumpTables();
      const owners = member?.filter((row) => row.investigation_id === study && row.role === 'owner');
      expect(owners).toHaveLength(1);
      // One was added, and one thing was done.
      expect(log?.filter((row) => row.investigation_id === study)).toHaveLength(2);
    }
  });
});

describe('removal', () => {
  test('by an owner or by oneself: the entry, the pending reminders, and nothing of others', async () => {
    const study = await sleepStudy(daily);
    const { owner, responder, other } = study;
    for (const [by, member] of [
      [owner, responder],
      [other, other],
    ] as const) {
      await pendingOf(member);
      const { answer, entries } = await logged(owner, study.id, () =>
        by.delete(`/investigation/${study.id}/member/${member.id}`),
      );
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(entries).toMatchObject([
        {
          actor: by.id,
          action: 'member.removed',
          details: { member: member.id, before: { role: 'responder' }, after: { role: null } },
        },
      ]);
      expect(await history(member)).toMatchObject([{ state: 'invalidated', reason: 'left-study' }]);
    }
    expect(await rolesOf(owner, study.id)).toEqual({ Ada: 'owner', Bruno: 'editor' });
    const gone = await owner.delete(`/investigation/${study.id}/member/${responder.id}`);
    expect(gone.body.code).toBe('resource.not-found');
    expect((await owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);
  });

  test('does not tell a responder who is a member of what', async () => {
    const study = await sleepStudy();
    const gil = await stranger('Gil');
    const path = `/investigation/${study.id}/member/${study.responder.id}`;
    const unknown = await study.other.delete(
      `/investigation/${study.id}/member/${newIdentifier(Date.now())}`,
    );
    expect((await study.other.delete(path)).body).toEqual(unknown.body);
    expect(unknown.body.code).toBe('resource.not-found');
    const ofOwner = `/investigation/${study.id}/member/${study.owner.id}`;
    expect((await study.other.delete(ofOwner)).body.code).toBe('action.forbidden');
    expect((await gil.delete(path)).body.code).toBe('user.not-signed-up');
  });
});

test('an address of one letter each is an address, in a token and in an invitation', async () => {
  const ada = await signUp('Ada');
  const study = (await ada.post('/investigation', { name: 'Sleep' })).body.identifier;
  const invited = await ada.post(`/investigation/${study}/member`, { email: 'A@b.c', role: 'responder' });
  expect(invited.status, invited.text).toBe(201);
  const token = await tokenOf('one-letter', { email: 'a@b.c' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await send('/user', { method: 'POST', headers, body: JSON.stringify({ name: 'B' }) });
  const list = await send('/investigation', { headers });
  expect(list.body.investigations).toMatchObject([{ identifier: study, role: 'responder' }]);
});

test('editors and responders add nobody', async () => {
  const study = await sleepStudy();
  const emil = await signUp('Emil');
  for (const person of [study.editor, study.responder]) {
    const answer = await person.post(`/investigation/${study.id}/member`, {
      user: emil.id,
      role: 'responder',
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'action.forbidden' } });
  }
  expect((await emil.get(`/investigation/${study.id}`)).status).toBe(404);
});
