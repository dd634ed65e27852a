import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { type Person, requestOf } from '../support/people.ts';
import { interruptedDb, newApp, small, watchedDb } from '../support/worker/apps.ts';
import { days, later, minutes } from '../support/worker/clock.ts';
import { daily, scheduled } from '../support/worker/reminders.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { send, signUp, sleepStudy, stranger, tokenOf } from '../support/worker/world.ts';

const newStudy = async (owner: Person, name = 'Sleep'): Promise<string> =>
  (await owner.post('/investigation', { name })).body.identifier;
const invite = (owner: Person, study: string, email: string, role = 'responder') =>
  owner.post(`/investigation/${study}/member`, { email, role });
const invitationsOf = async (person: Person) => (await person.get('/user/me/invitations')).body.invitations;
const answer = (person: Person, study: string, how: 'accept' | 'decline') =>
  person.post(`/user/me/invitations/${study}/${how}`);
const membersOf = async (owner: Person, study: string) =>
  (await owner.get(`/investigation/${study}/members`)).body;
const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

describe('an invitation', () => {
  test('of a known address looks like one of an unknown address, and makes nobody a member', async () => {
    const [olga, zoe] = [await signUp('Olga'), await signUp('Zoe')];
    const study = await newStudy(olga);
    const known = await invite(olga, study, zoe.email);
    const unknown = await invite(olga, study, 'nobody@example.org');
    expect([known.status, known.body]).toEqual([201, { email: zoe.email, role: 'responder' }]);
    expect([unknown.status, Object.keys(unknown.body)]).toEqual([201, Object.keys(known.body)]);
    expect((await zoe.get(`/investigation/${study}`)).status).toBe(404);
    expect(await membersOf(olga, study)).toMatchObject({
      members: [{ name: 'Olga' }],
      invitations: [{ email: 'nobody@example.org' }, { email: zoe.email }],
    });
  });

  test('is shown to whoever it is for, and to nobody else', async () => {
    const [olga, zoe, eve] = [await signUp('Olga'), await signUp('Zoe'), await signUp('Eve')];
    const study = await newStudy(olga);
    await invite(olga, study, zoe.email, 'editor');
    expect((await zoe.get('/user/me/invitations')).body).toEqual({
      user: `/user/${zoe.id}`,
      invitations: [
        {
          investigation: `investigation/${study}`,
          identifier: study,
          name: 'Sleep',
          role: 'editor',
          invitedBy: {
            user: `/user/${olga.id}`,
            identifier: olga.id,
            name: 'Olga',
            avatar: `/user/${olga.id}/avatar`,
          },
          at: '2027-03-01T08:00:00.000Z',
          expiresAt: '2027-03-31T08:00:00.000Z',
        },
      ],
    });
    expect(await invitationsOf(eve)).toEqual([]);
    expect(await eve.get(`/user/${zoe.id}/invitations`)).toMatchObject(problem(404, 'resource.not-found'));
    for (const how of ['accept', 'decline'] as const)
      expect(await answer(eve, study, how)).toMatchObject(problem(404, 'resource.not-found'));
    expect(await invitationsOf(zoe)).toHaveLength(1);
  });

  test('that is accepted is a membership with its entry and its reminders, and a repeat changes nothing', async () => {
    const study = await sleepStudy(daily);
    const zoe = await signUp('Zoe');
    await invite(study.owner, study.id, zoe.email);
    const before = (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities.length;
    for (let n = 0; n < 2; n++)
      expect(await answer(zoe, study.id, 'accept')).toMatchObject({
        status: 200,
        body: { investigation: `investigation/${study.id}`, user: `/user/${zoe.id}`, role: 'responder' },
      });
    expect(await scheduled(zoe)).toHaveLength(1);
    expect(await invitationsOf(zoe)).toEqual([]);
    const { activities } = (await study.owner.get(`/investigation/${study.id}/activity`)).body;
    expect(activities).toHaveLength(before + 1);
    expect(activities[0]).toMatchObject({
      actor: zoe.id,
      action: 'member.added',
      details: { member: zoe.id, after: { role: 'responder' }, invitedBy: study.owner.id },
    });
    expect((await study.owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);
  });

  test('that is declined is gone, and may come again', async () => {
    const [olga, zoe] = [await signUp('Olga'), await signUp('Zoe')];
    const study = await newStudy(olga);
    await invite(olga, study, zoe.email);
    expect(await answer(zoe, study, 'decline')).toMatchObject({ status: 204, text: '' });
    for (const how of ['decline', 'accept'] as const)
      expect(await answer(zoe, study, how)).toMatchObject(problem(404, 'resource.not-found'));
    expect((await membersOf(olga, study)).invitations).toEqual([]);
    expect((await invite(olga, study, zoe.email)).status).toBe(201);
  });

  test('of a member leaves their role', async () => {
    const study = await sleepStudy();
    await invite(study.owner, study.id, study.responder.email, 'editor');
    expect((await answer(study.responder, study.id, 'accept')).body.role).toBe('responder');
    expect(await invitationsOf(study.responder)).toEqual([]);
  });

  test('expires after 30 days, for everyone, and can then be sent again with another role', async () => {
    const [olga, zoe, gil] = [await signUp('Olga'), await signUp('Zoe'), await stranger('Gil')];
    const study = await newStudy(olga);
    await invite(olga, study, zoe.email);
    await invite(olga, study, gil.email);
    later(30 * days - minutes);
    expect(await invitationsOf(zoe)).toHaveLength(1);
    later(minutes);
    expect(await invitationsOf(zoe)).toEqual([]);
    expect((await membersOf(olga, study)).invitations).toEqual([]);
    for (const how of ['accept', 'decline'] as const)
      expect(await answer(zoe, study, how)).toMatchObject(problem(404, 'resource.not-found'));
    expect((await gil.post('/user', { name: 'Gil' })).status).toBe(201);
    expect((await membersOf(olga, study)).members).toHaveLength(1);
    expect((await invite(olga, study, zoe.email, 'editor')).status).toBe(201);
    expect(await invitationsOf(zoe)).toMatchObject([{ role: 'editor' }]);
    await reconcile(createServices(env));
    const left = ((await dumpTables()).invitation ?? []).filter((row) => row.investigation_id === study);
    expect(left).toMatchObject([{ email: zoe.email, role: 'editor' }]);
  });

  test('is accepted by who is a member of another study already', async () => {
    const [olga, zoe] = [await signUp('Olga'), await signUp('Zoe')];
    await newStudy(zoe, 'Her own');
    const [accepted, waiting] = [await newStudy(olga, 'First'), await newStudy(olga, 'Second')];
    await invite(olga, accepted, zoe.email);
    await invite(olga, waiting, zoe.email);
    expect((await answer(zoe, accepted, 'accept')).status).toBe(200);
    expect((await zoe.get(`/investigation/${accepted}`)).body.role).toBe('responder');
    expect((await zoe.post('/user', { name: 'Zoe', acceptInvitations: true })).status).toBe(200);
    expect((await zoe.get(`/investigation/${waiting}`)).body.role).toBe('responder');
  });

  test('to an archived study waits until it comes back', async () => {
    const [olga, zoe, gil] = [await signUp('Olga'), await signUp('Zoe'), await stranger('Gil')];
    const study = await newStudy(olga);
    await invite(olga, study, zoe.email);
    await invite(olga, study, gil.email);
    await olga.patch(`/investigation/${study}`, { status: 'archived' });
    expect(await answer(zoe, study, 'accept')).toMatchObject(problem(409, 'study.archived'));
    expect((await gil.post('/user', { name: 'Gil' })).status).toBe(201);
    expect((await membersOf(olga, study)).members).toHaveLength(1);
    await olga.patch(`/investigation/${study}`, { status: 'active' });
    expect((await answer(zoe, study, 'accept')).status).toBe(200);
    expect((await answer(gil, study, 'accept')).status).toBe(200);
  });

  test('the fourth from one inviter that would wait for an address is refused, a repeat is not', async () => {
    const [olga, omar] = [await signUp('Olga'), await signUp('Omar')];
    const studies = await Promise.all(Array.from({ length: 4 }, (_, n) => newStudy(olga, `Study ${n}`)));
    const last = studies.pop() ?? '';
    for (const study of studies) expect((await invite(olga, study, 'popular@example.org')).status).toBe(201);
    const refused = await invite(olga, last, 'popular@example.org');
    expect(refused).toMatchObject(problem(409, 'limit.reached'));
    expect(refused.body.bound).toBe('MAX_INVITATIONS_FROM_ONE');
    expect((await invite(olga, studies[0] ?? '', 'popular@example.org')).status).toBe(200);
    expect((await invite(olga, last, 'lonely@example.org')).status).toBe(201);
    expect((await invite(omar, await newStudy(omar), 'popular@example.org')).status).toBe(201);
    await olga.delete(`/investigation/${studies[0]}/member/popular@example.org`);
    expect((await invite(olga, last, 'popular@example.org')).status).toBe(201);
  });

  test('of two that come at once when there is room for one, both may wait, and the next is refused', async () => {
    const olga = await signUp('Olga');
    const [one, other] = [await newStudy(olga), await newStudy(olga, 'Food')];
    const email = 'popular-at-once@example.org';
    for (let n = 0; n < 2; n++) await invite(olga, await newStudy(olga, `Study ${n}`), email);
    const { send } = newApp({ db: interruptedDb(() => invite(olga, other, email)) });
    const late = await send(`/investigation/${one}/member`, {
      method: 'POST',
      token: olga.token,
      body: { email, role: 'responder' },
    });
    expect(late.status).toBe(201);
    for (const study of [one, other])
      expect((await membersOf(olga, study)).invitations).toMatchObject([{ email }]);
    expect(await invite(olga, await newStudy(olga, 'Mood'), email)).toMatchObject(
      problem(409, 'limit.reached'),
    );
  });

  test('one more than may wait for a study is refused until one is withdrawn or expires; others go on', async () => {
    const olga = await signUp('Olga');
    const [study, other] = [await newStudy(olga), await newStudy(olga, 'Food')];
    const post = small({ MAX_INVITATIONS: '2' });
    const ask = (of: string, email: string) =>
      post(olga, `/investigation/${of}/member`, { email, role: 'responder' });
    for (const email of ['a@full.example.org', 'b@full.example.org'])
      expect((await ask(study, email)).status).toBe(201);
    const refused = await ask(study, 'c@full.example.org');
    expect(refused).toMatchObject(problem(409, 'limit.reached'));
    expect(refused.body.bound).toBe('MAX_INVITATIONS');
    expect((await ask(study, 'a@full.example.org')).status).toBe(200);
    expect((await ask(other, 'c@full.example.org')).status).toBe(201);
    await olga.delete(`/investigation/${study}/member/a@full.example.org`);
    expect((await ask(study, 'c@full.example.org')).status).toBe(201);
    later(30 * days);
    expect((await ask(study, 'd@full.example.org')).status).toBe(201);
  });

  test("of strangers, however many, neither block an address nor hide a doctor's", async () => {
    const zoe = await signUp('Zoe');
    const strangers = await Promise.all(Array.from({ length: 17 }, (_, n) => signUp(`Stranger ${n}`)));
    for (const one of strangers)
      for (let n = 0; n < 3; n++)
        expect((await invite(one, await newStudy(one, `Spam ${n}`), zoe.email)).status).toBe(201);
    later(minutes);
    const doctor = await signUp('Doctor');
    const study = await newStudy(doctor, 'Asthma');
    expect((await invite(doctor, study, zoe.email)).status).toBe(201);
    expect((await zoe.post('/user', { name: 'Zoe' })).status).toBe(200);
    expect((await zoe.get('/investigation')).body.investigations).toEqual([]);

    const names: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { body } = await zoe.get(`/user/me/invitations?limit=20${next && `&cursor=${next}`}`);
      names.push(...body.invitations.map(({ name }: { name: string }) => name));
      next = body.next;
    }
    expect(names).toHaveLength(52);
    expect(names.at(-1)).toBe('Asthma');
    expect((await answer(zoe, study, 'accept')).status).toBe(200);
  });
});

describe('signing up', () => {
  test('leaves invitations alone when asked to', async () => {
    const [olga, zoe] = [await signUp('Olga'), await stranger('Zoe')];
    const study = await newStudy(olga);
    await invite(olga, study, zoe.email);
    for (const status of [201, 200]) {
      expect((await zoe.post('/user', { name: 'Zoe', acceptInvitations: false })).status).toBe(status);
      expect(await invitationsOf(zoe)).toMatchObject([{ identifier: study }]);
    }
    expect((await zoe.post('/user', { name: 'Z' })).body.name).toBe('Zoe');
    expect(await invitationsOf(zoe)).toEqual([]);
    expect((await zoe.get(`/investigation/${study}`)).status).toBe(200);
    for (const [acceptInvitations, pointer] of [
      ['no', '/acceptInvitations'],
      [{}, '/acceptInvitations'],
      [Array.from({ length: 1001 }, () => study), '/acceptInvitations'],
      [['no'], '/acceptInvitations/0'],
    ] as const)
      expect(await zoe.post('/user', { name: 'Zoe', acceptInvitations })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
  });

  test('joins the only study that waits, as the first one, and no second one', async () => {
    const [olga, zoe] = [await signUp('Olga'), await stranger('Zoe')];
    const [first, second] = [await newStudy(olga, 'First'), await newStudy(await signUp('Omar'), 'Second')];
    await invite(olga, first, zoe.email);
    const answered = await zoe.post('/user', { name: 'Zoe' });
    expect([answered.status, answered.body.invitations]).toEqual([201, undefined]);
    expect((await zoe.get('/investigation')).body.investigations).toMatchObject([{ identifier: first }]);
    const eve = await signUp('Eve');
    const third = await newStudy(eve, 'Spam');
    await invite(eve, third, zoe.email);
    const again = await zoe.post('/user', { name: 'Zoe' });
    expect(again.body.invitations).toEqual(await invitationsOf(zoe));
    expect(again.body.invitations).toMatchObject([{ identifier: third, invitedBy: { name: 'Eve' } }]);
    expect((await zoe.get(`/investigation/${third}`)).status).toBe(404);
    expect((await zoe.get(`/investigation/${second}`)).status).toBe(404);
  });

  test('joins, of several that wait, those that it lists; the answer has the others', async () => {
    const [olga, omar, zoe] = [await signUp('Olga'), await signUp('Omar'), await stranger('Zoe')];
    const [sleep, food] = [await newStudy(olga, 'Sleep'), await newStudy(olga, 'Food')];
    const spam = await newStudy(omar, 'Spam');
    for (const study of [sleep, food]) await invite(olga, study, zoe.email);
    await invite(omar, spam, zoe.email);
    const studies = async () =>
      (await zoe.get('/investigation')).body.investigations.map(({ name }: { name: string }) => name).sort();
    const ask = (acceptInvitations?: boolean | string[]) =>
      zoe.post('/user', { name: 'Zoe', ...(acceptInvitations !== undefined && { acceptInvitations }) });
    const first = await ask();
    expect(first.status).toBe(201);
    expect(first.body.invitations).toHaveLength(3);
    expect(first.body.invitations).toEqual(expect.arrayContaining(await invitationsOf(zoe)));
    expect(await studies()).toEqual([]);
    expect((await ask([])).body.invitations).toHaveLength(3);
    const listed = await ask([food, sleep, food, '5'.repeat(32)]);
    expect(listed.body.invitations).toMatchObject([{ identifier: spam }]);
    expect(await studies()).toEqual(['Food', 'Sleep']);
    expect((await ask([food, sleep])).body.invitations, 'a repeat').toMatchObject([{ identifier: spam }]);
    expect((await ask(true)).body.invitations).toBeUndefined();
    expect(await studies()).toEqual(['Food', 'Sleep', 'Spam']);
  });

  test('again after the address was verified brings the memberships, with their reminders', async () => {
    const study = await sleepStudy(daily);
    const email = 'late@example.org';
    await invite(study.owner, study.id, email);
    const ask = (token: string, path: string, body?: object) =>
      send(path, requestOf({ token, ...(body && { method: 'POST', body }) }));
    const unverified = await tokenOf('late-verifier', { email, email_verified: false });
    expect((await ask(unverified, '/user', { name: 'Late' })).status).toBe(201);
    expect((await ask(unverified, '/user', { name: 'Late' })).status).toBe(200);
    expect((await ask(unverified, '/investigation')).body.investigations).toEqual([]);
    const verified = await tokenOf('late-verifier', { email });
    const again = await ask(verified, '/user', { name: 'Other' });
    expect([again.status, again.body.name]).toEqual([200, 'Late']);
    expect((await ask(verified, '/investigation')).body.investigations).toMatchObject([
      { identifier: study.id, role: 'responder' },
    ]);
    const { notifications } = (await ask(verified, '/user/me/notifications')).body;
    expect(notifications).toMatchObject([{ state: 'scheduled' }]);
  });

  test('with fifty invitations takes as many statements as with two, and so does leaving', async () => {
    const cost = async (size: number) => {
      const [olga, zoe] = [await signUp('Olga'), await stranger('Zoe')];
      const post = small({ MAX_INVITATIONS_FROM_ONE: '50' });
      for (let n = 0; n < size; n++) {
        const path = `/investigation/${await newStudy(olga, `Study ${n}`)}/member`;
        expect((await post(olga, path, { email: zoe.email, role: 'responder' })).status).toBe(201);
      }
      const { db, watch } = watchedDb();
      const { send: ask } = newApp({ db });
      const body = { name: 'Zoe', acceptInvitations: true };
      expect((await ask('/user', { method: 'POST', token: zoe.token, body })).status).toBe(201);
      const signingUp = watch.statements;
      expect((await zoe.get('/investigation')).body.investigations).toHaveLength(size);
      expect((await ask('/user/me', { method: 'DELETE', token: zoe.token })).status).toBe(204);
      const { investigations } = (await olga.get('/investigation')).body;
      for (const { identifier } of investigations)
        expect((await olga.get(`/investigation/${identifier}/activity/verify`)).body).toMatchObject({
          valid: true,
          entries: 2,
        });
      return { signingUp, leaving: watch.statements - signingUp };
    };
    expect(await cost(50)).toEqual(await cost(2));
  });
});

describe('an address', () => {
  test.each([
    ['weird..@example.org'],
    ['.ada@example.org'],
    ['ada.@example.org'],
    ['ada@'],
    ['@example.org'],
    ['ada@example..org'],
    ['ada@-example.org'],
    ['ada@exam ple.org'],
    ['ada@example.org/path'],
    ['ada@example.org:25'],
    ['ada@eve@example.org'],
    ['ada lovelace@example.org'],
    ['\u212Aim@example.org'],
    ['\uff4Bim@example.org'],
    ['Jose\u0301@example.org'],
    ['o\ufb03ce@example.org'],
    [`${'a'.repeat(243)}@example.org`],
  ])('%s is none', async (email) => {
    const olga = await signUp('Olga');
    const refused = await invite(olga, await newStudy(olga), email);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } });
  });

  test.each([
    ['Dana@Bücher.Example', 'dana@xn--bcher-kva.example'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['José.KIM@example.org', 'josé.kim@example.org'],
    ['Kim@E\u0308xa\u212Aple.Example', 'kim@xn--xakple-ova.example'],
    ["o'hara+news@mail.example.co.uk", "o'hara+news@mail.example.co.uk"],
  ])('%s is the same however it is written: %s', async (written, normal) => {
    const olga = await signUp('Olga');
    const study = await newStudy(olga);
    expect((await invite(olga, study, written)).body.email).toBe(normal);
    expect((await invite(olga, study, normal)).status).toBe(200);
    const path = `/investigation/${study}/member/${encodeURIComponent(written)}`;
    expect((await olga.delete(path)).status).toBe(204);
    await invite(olga, study, normal);
    const token = await tokenOf(`writer-${crypto.randomUUID()}`, { email: written });
    const call = requestOf({ method: 'POST', token, body: { name: 'Writer' } });
    expect((await send('/user', call)).status).toBe(201);
    expect((await membersOf(olga, study)).members).toHaveLength(2);
  });

  test.each([
    ['the Kelvin sign', '\u212Aim'],
    ['a full-width letter', '\uff2bim'],
    ['a ligature', 'kim\ufb03'],
    ['an accent of its own', 'kimi\u0301'],
    ['a superscript', 'kim\u00b2'],
  ])('with %s proves nothing: whoever has a token with it gets no invitation', async (_, local) => {
    const [olga, kim] = [await signUp('Olga'), await signUp('Kim')];
    const study = await newStudy(olga);
    const domain = `${crypto.randomUUID()}.example.org`;
    const plain = `${local.normalize('NFKC').toLowerCase()}@${domain}`;
    expect((await invite(olga, study, plain)).status).toBe(201);
    const look = {
      method: 'POST',
      token: await tokenOf(`mallory-${domain}`, { email: `${local}@${domain}` }),
    };
    const signed = await send(
      '/user',
      requestOf({ ...look, body: { name: 'Mallory', acceptInvitations: true } }),
    );
    expect([signed.status, signed.body.invitations]).toEqual([201, undefined]);
    const open = await send('/user/me/invitations', requestOf({ token: look.token }));
    expect(open.body.invitations).toEqual([]);
    const refused = await invite(olga, study, `${local}@${domain}`);
    expect(refused.body.errors).toEqual([
      {
        pointer: '/email',
        detail:
          'Expected plain characters before the @: none that only looks like another one, and é as one character.',
      },
    ]);
    const owner = await tokenOf(kim.email.split('@')[0] ?? '', {
      email: plain,
      iat: Math.floor(Date.now() / 1000),
    });
    expect((await newApp().send('/user/me/invitations', { token: owner })).body.invitations).toMatchObject([
      { identifier: study },
    ]);
  });

  test('has two cases of the letters A-Z alone: É and é are two people', async () => {
    const olga = await signUp('Olga');
    const study = await newStudy(olga);
    for (const email of ['ÉLODIE@example.org', 'éLODIE@example.org'])
      expect((await invite(olga, study, email)).status).toBe(201);
    const { invitations } = await membersOf(olga, study);
    expect(invitations.map(({ email }: { email: string }) => email)).toEqual([
      'Élodie@example.org',
      'élodie@example.org',
    ]);
  });
});
