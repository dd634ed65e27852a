import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import { enrol, newCode, newParticipant, participantOf } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { interruptedDb, newApp, small } from '../support/worker/apps.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let owner: Person;

beforeAll(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  owner = study.owner;
});

const make = (more: object = {}) => newCode(owner, study.id, more);
const use = (code: string, more: object = {}) => enrol(world, code, more);
const listed = async (by = owner) => (await by.get(`/investigation/${study.id}/enrolments`)).body.enrolments;
const read = async (identifier: string) => (await owner.get(`/enrolment/${identifier}`)).body;

describe('a code', () => {
  test('has twelve characters in three groups, a number, and a link with it in the fragment', async () => {
    const code = await make({ label: 'Ward 3', uses: 40, expiresAt: '2027-04-01T00:00:00.000Z' });
    expect(code.code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(code).toMatchObject({
      investigation: `investigation/${study.id}`,
      label: 'Ward 3',
      url: `https://fieldbell.localhost/p/#${code.code}`,
      uses: 40,
      used: 0,
      state: 'open',
      expiresAt: '2027-04-01T00:00:00.000Z',
    });
    const next = await make();
    expect(next).toMatchObject({ uses: 1, number: code.number + 1 });
    expect(next.code).not.toBe(code.code);
    expect(await read(code.identifier)).toEqual(code);
    expect((await listed()).slice(-2)).toEqual([code, next]);
  });

  test('is made once under an identifier that its maker chose', async () => {
    const identifier = newIdentifier(Date.now());
    const first = await make({ identifier, label: 'Once' });
    const again = await owner.post(`/investigation/${study.id}/enrolment`, { identifier, label: 'Once' });
    expect([again.status, again.body]).toEqual([200, first]);
    const other = await owner.post(`/investigation/${study.id}/enrolment`, { identifier, label: 'Twice' });
    expectProblem(other, 'identifier.taken');
  });

  test.each([
    [{ uses: 0 }, '/uses'],
    [{ uses: 100_001 }, '/uses'],
    [{ uses: 1.5 }, '/uses'],
    [{ label: '' }, '/label'],
    [{ label: 'x'.repeat(101) }, '/label'],
    [{ expiresAt: 'soon' }, '/expiresAt'],
    [{ expiresAt: '2027-03-01T07:59:59.000Z' }, '/expiresAt'],
  ])('of %j is refused', async (body, pointer) => {
    const answer = await changingNothing(() => owner.post(`/investigation/${study.id}/enrolment`, body));
    expectProblem(answer, 'request.invalid', [pointer]);
  });

  test('is for owners and editors: responders may not see it, and others find nothing', async () => {
    const { identifier } = created(await study.editor.post(`/investigation/${study.id}/enrolment`, {}));
    const eve = await signUp('Eve');
    for (const [by, code] of [
      [study.responder, 'action.forbidden'],
      [eve, 'resource.not-found'],
    ] as const) {
      expectProblem(await by.post(`/investigation/${study.id}/enrolment`, {}), code);
      expectProblem(await by.get(`/investigation/${study.id}/enrolments`), code);
      for (const path of [`/enrolment/${identifier}`, `/enrolment/${identifier}/qr`])
        expectProblem(await by.get(path), code);
      expectProblem(await by.delete(`/enrolment/${identifier}`), code);
    }
  });

  test('is listed in pages, in order of creation', async () => {
    const all = await listed();
    const first = await owner.get(`/investigation/${study.id}/enrolments?limit=2`);
    const second = await owner.get(
      `/investigation/${study.id}/enrolments?limit=1000&cursor=${first.body.next}`,
    );
    expect([...first.body.enrolments, ...second.body.enrolments]).toEqual(all);
    expect(second.body.next).toBeUndefined();
  });

  test('has a QR code, which is an SVG', async () => {
    const { identifier } = await make();
    const answer = await owner.get(`/enrolment/${identifier}/qr`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+".*<\/svg>$/s);
  });

  test('is one of a number that the operator bounds, ended ones included', async () => {
    const send = small({ MAX_ENROLMENTS: '2' });
    const elsewhere = created(await owner.post('/investigation', { name: 'Small' })).identifier;
    const post = () => send(owner, `/investigation/${elsewhere}/enrolment`, {});
    const tries = await Promise.all(Array.from({ length: 5 }, post));
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect((await post()).body).toMatchObject({ code: 'limit.reached', bound: 'MAX_ENROLMENTS' });
  });

  test('is not made in an archived study', async () => {
    const elsewhere = created(await owner.post('/investigation', { name: 'Over' })).identifier;
    await owner.patch(`/investigation/${elsewhere}`, { status: 'archived' });
    expectProblem(await owner.post(`/investigation/${elsewhere}/enrolment`, {}), 'study.archived');
  });
});

describe('a person who uses a code', () => {
  test('is a new responder of its study with a token, and nothing else', async () => {
    const { code, identifier } = await make({ label: 'Ward 3', uses: 2 });
    const before = (await owner.get(`/investigation/${study.id}/activity`)).body.activities[0].position;
    const answer = await use(code, { timeZone: 'Europe/Lisbon', language: 'pt-PT' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      user: {
        name: expect.stringMatching(/^Participant \d+$/),
        timeZone: 'Europe/Lisbon',
        language: 'pt-PT',
      },
      investigation: { identifier: study.id, name: 'Sleep' },
      expiresAt: new Date(Date.now() + 400 * days).toISOString(),
    });
    const participant = participantOf(world, answer);
    expect(answer.headers.get('location')).toBe(`/user/${participant.id}`);
    expect((await participant.get('/user/me')).body).toEqual(answer.body.user);
    expect((await participant.get('/investigation')).body.investigations).toMatchObject([
      { identifier: study.id, role: 'responder' },
    ]);
    const { activities } = (await owner.get(`/investigation/${study.id}/activity`)).body;
    expect(activities[0]).toMatchObject({
      position: before + 1,
      action: 'member.added',
      actor: participant.id,
      details: { member: participant.id, after: { role: 'responder' }, enrolment: identifier },
    });
    expect((await read(identifier)).used).toBe(1);
  });

  test('has the name that they choose, or the next number of the study', async () => {
    const { code } = await make({ uses: 3 });
    const number = async () => Number((await use(code)).body.user.name.split(' ')[1]);
    const first = await number();
    expect((await use(code, { name: 'Chidi' })).body.user.name).toBe('Chidi');
    expect(await number()).toBe(first + 2);
  });

  test('shows to owners and editors in the list of members, with the code, and in the feed', async () => {
    const { code, identifier } = await make({ label: 'Clinic' });
    const participant = participantOf(world, await use(code));
    const rowOf = async (by: Person) =>
      (await by.get(`/investigation/${study.id}/members`)).body.members.find(
        (row: { identifier: string }) => row.identifier === participant.id,
      );
    for (const by of [owner, study.editor])
      expect((await rowOf(by)).enrolment).toEqual({ identifier, label: 'Clinic' });
    expect(await rowOf(study.responder)).toBeUndefined();
    expect(await rowOf(participant)).toMatchObject({ name: participant.name });
    expect((await rowOf(participant)).enrolment).toBeUndefined();
    const feed = await owner.get(`/investigation/${study.id}/changes?include=body&limit=1000`);
    const change = feed.body.changes.find((one: { identifier: string }) => one.identifier === participant.id);
    expect(change).toMatchObject({ kind: 'member', state: 'active', body: { enrolment: { identifier } } });
    // Elsewhere they are a member like others.
    const elsewhere = created(await owner.post('/investigation', { name: 'Elsewhere' })).identifier;
    const member = { user: participant.id, role: 'responder' };
    const added = created(await owner.post(`/investigation/${elsewhere}/member`, member));
    expect(added.enrolment).toBeUndefined();
  });

  test('gets reminders like everybody else', async () => {
    const reminded = await sleepStudy({
      type: 'rolling',
      recurrence: '0 20 * * *',
      ends: null,
      notification: { subject: 'Diary', body: 'How was your day?' },
    });
    const participant = await newParticipant(world, reminded.owner, reminded.id);
    const { occurrences } = (await participant.get('/user/me/agenda')).body;
    expect(occurrences[0].dueAt).toBe('2027-03-01T19:00:00.000Z');
  });

  test('has the language of the account on a phone that tells none', async () => {
    const participant = await newParticipant(world, owner, study.id, { language: 'de' });
    const phone = { platform: 'android', token: crypto.randomUUID(), timeZone: 'Europe/Berlin' };
    expect(created(await participant.post('/user/me/device', phone)).language).toBe('de');
    const other = { ...phone, token: crypto.randomUUID(), language: 'fr' };
    expect(created(await participant.post('/user/me/device', other)).language).toBe('fr');
  });
});

/** Codes that open nothing, by why not. */
const unusable: Record<string, () => Promise<string>> = {
  wrong: async () => '7M2K-9QXB-4TWD',
  'used up': async () => {
    const { code } = await make();
    expect((await use(code)).status).toBe(201);
    return code;
  },
  expired: async () => {
    const { code } = await make({ expiresAt: new Date(Date.now() + minutes).toISOString() });
    later(minutes);
    return code;
  },
  ended: async () => {
    const { code, identifier } = await make();
    for (let n = 0; n < 2; n++) expect((await owner.delete(`/enrolment/${identifier}`)).status).toBe(204);
    return code;
  },
  'of an archived study': async () => {
    const over = created(await owner.post('/investigation', { name: 'Over' })).identifier;
    const { code } = await newCode(owner, over);
    await owner.patch(`/investigation/${over}`, { status: 'archived' });
    return code;
  },
  'of a deleted study': async () => {
    const gone = created(await owner.post('/investigation', { name: 'Gone' })).identifier;
    const { code } = await newCode(owner, gone);
    await owner.patch(`/investigation/${gone}`, { status: 'archived' });
    expect((await owner.delete(`/investigation/${gone}`)).status).toBe(204);
    return code;
  },
};

describe('a code that is', () => {
  test.each(Object.keys(unusable))('%s gets the answer of a wrong one', async (why) => {
    const code = await unusable[why]?.();
    const answer = await changingNothing(() => use(code ?? ''));
    expectProblem(answer, 'resource.not-found');
    expect(answer.text).toBe((await use('7M2K-9QXB-4TWD')).text);
  });

  test('wrong, used up, expired or ended costs one read of the database, whichever it is', async () => {
    const { app, counts } = countedApp();
    const costs: Record<string, number[]> = {};
    for (const [why, code] of Object.entries(unusable)) {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ code: await code() });
      const before = { ...counts };
      expect((await app.request('/enrol', { ...request, body })).status, why).toBe(404);
      costs[why] = [counts.roundTrips - before.roundTrips, counts.rowsWritten - before.rowsWritten];
      expect(counts.rowsRead - before.rowsRead, why).toBeLessThanOrEqual(6);
    }
    expect(costs).toEqual(Object.fromEntries(Object.keys(unusable).map((why) => [why, [1, 0]])));
  });

  test('of a frozen study works, as adding members does', async () => {
    const frozen = created(await owner.post('/investigation', { name: 'Frozen' })).identifier;
    const { code } = await newCode(owner, frozen);
    await owner.post(`/investigation/${frozen}/freeze`, { status: 'frozen', reason: 'Interim analysis' });
    expect((await use(code)).status).toBe(201);
  });
});

describe('a repeat with the same secret', () => {
  const secret = () => newIdentifier(Date.now());

  test('finds the user of the first request, and uses the code once', async () => {
    const { code, identifier } = await make();
    const body = { secret: secret(), name: 'Chidi' };
    const first = await use(code, body);
    const again = await use(code, body);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect((await read(identifier)).used).toBe(1);
    expectProblem(await use(code, { secret: secret() }), 'resource.not-found');
  });

  test('that comes at the same time makes one user', async () => {
    const { code, identifier } = await make({ uses: 5 });
    const body = { secret: secret() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(code, body)));
    expect(new Set(answers.map(({ body }) => body.user.identifier)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await read(identifier)).used).toBe(1);
  });

  test('and another code makes another user', async () => {
    const body = { secret: secret() };
    const users = await Promise.all([make(), make()].map(async (code) => use((await code).code, body)));
    expect(users.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('is no way back once the tokens were ended', async () => {
    const { code } = await make();
    const body = { secret: secret() };
    const participant = participantOf(world, await use(code, body));
    expect((await participant.delete('/user/me/tokens')).status).toBe(204);
    expectProblem(await use(code, body), 'resource.not-found');
  });
});

/** The number of users. */
const people = async () => env.DB.prepare('select count(*) as n from user').first<number>('n');

describe('bounds', () => {
  test('a code of 20 uses that 60 people use at once makes 20 users, and not one more', async () => {
    const { code, identifier } = await make({ uses: 20 });
    const before = await env.DB.prepare('select count(*) as n from user').first<{ n: number }>();
    const answers = await Promise.all(Array.from({ length: 60 }, () => use(code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(40);
    const after = await env.DB.prepare('select count(*) as n from user').first<{ n: number }>();
    expect((after?.n ?? 0) - (before?.n ?? 0)).toBe(20);
    expect(await read(identifier)).toMatchObject({ used: 20, state: 'used' });
    const names = answers.flatMap(({ body }) => body.user?.name ?? []);
    expect(new Set(names).size).toBe(20);
    expect((await owner.get(`/investigation/${study.id}/activity/verify`)).body.ok ?? true).toBe(true);
  });

  test('the last use that another process takes meanwhile is not taken again', async () => {
    const { code, identifier } = await make({ label: 'Last' });
    const db = interruptedDb(() =>
      env.DB.prepare('update enrolment set used = used + 1 where id = ?').bind(identifier).run(),
    );
    expectProblem(await enrol(newApp({ db }), code), 'resource.not-found');
    expect((await read(identifier)).used).toBe(1);
  });

  test('a code that ends while somebody uses it takes nobody', async () => {
    const { code, identifier } = await make({ uses: 9 });
    const end = async () => expect((await owner.delete(`/enrolment/${identifier}`)).status).toBe(204);
    const before = await people();
    expectProblem(await enrol(newApp({ db: interruptedDb(end) }), code), 'resource.not-found');
    expect(await read(identifier)).toMatchObject({ used: 0, state: 'ended' });
    expect(await people()).toBe(before);
  });

  test('a code that another process ends, before its entry is in the log, takes nobody', async () => {
    const { code, identifier } = await make({ uses: 9 });
    const end = env.DB.prepare('update enrolment set ended_at = 1 where id = ?').bind(identifier);
    const before = await people();
    expectProblem(await enrol(newApp({ db: interruptedDb(() => end.run()) }), code), 'resource.not-found');
    expect([await people(), (await read(identifier)).used]).toEqual([before, 0]);
  });

  test('the last place, which an invitation takes meanwhile, is taken once more at most', async () => {
    const id = created(await owner.post('/investigation', { name: 'Two' })).identifier;
    const { code, identifier } = await newCode(owner, id, { uses: 9 });
    const zoe = { email: 'zoe@example.org', role: 'responder' };
    const db = interruptedDb(async () => created(await owner.post(`/investigation/${id}/member`, zoe)));
    const full = small({ MAX_MEMBERS: '2' }, { db });
    const enrolled = await full({ token: '' } as Person, '/enrol', { code });
    expect(enrolled.status, enrolled.text).toBe(201);
    const next = await full({ token: '' } as Person, '/enrol', { code });
    expect(next.body).toMatchObject({ code: 'limit.reached', bound: 'MAX_MEMBERS' });
    expect((await read(identifier)).used).toBe(1);
  });

  test('a study that is full takes nobody, and the code keeps its uses', async () => {
    const full = small({ MAX_MEMBERS: '2' });
    const id = created(await owner.post('/investigation', { name: 'Two' })).identifier;
    const { code, identifier } = await newCode(owner, id, { uses: 9 });
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => full({ token: '' } as Person, '/enrol', { code })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(tries.find(({ status }) => status === 409)?.body.bound).toBe('MAX_MEMBERS');
    expect((await read(identifier)).used).toBe(1);
  });
});
