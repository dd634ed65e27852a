import { env } from 'cloudflare:workers';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newIdentifier, participantIssuer } from '../../src/identifiers.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';
import { linesOf } from '../support/lists.ts';
import { enrol, newCode, newParticipant, participantOf } from '../support/participants.ts';
import { type Answer, type Call, created, type Person, readAnswer, requestOf } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, tokenOf, world } from '../support/worker/world.ts';

let study: Study;
let owner: Person;

beforeAll(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  owner = study.owner;
});

const participant = (more: object = {}) => newParticipant(world, owner, study.id, more);
const relink = (of: Person, by = owner, id = study.id) =>
  by.post(`/investigation/${id}/member/${of.id}/relink`);

/** The service with other settings, as another isolate has it. */
function serviceWith(settings: Record<string, string | undefined>) {
  const lines: object[] = [];
  const services = { ...createServices(env), log: (line: object) => lines.push(line) };
  const app = createApp(services, readConfig({ ...env, ...settings }));
  const send = async (path: string, call: Call = {}): Promise<Answer> =>
    readAnswer(await app.request(path, requestOf(call)));
  return { send, lines };
}

const newKey = async () => {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const der = (await crypto.subtle.exportKey('pkcs8', pair.privateKey)) as ArrayBuffer;
  return btoa(String.fromCharCode(...new Uint8Array(der)));
};

const claimsOf = (token: string) =>
  JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''));

describe('a token of a participant', () => {
  test('is good for 400 days, and a newer one for 400 more', async () => {
    setClock(startOfTests);
    const chidi = await participant();
    setClock(startOfTests + 400 * days);
    const newer = await chidi.post('/user/me/token');
    expect(newer.status, newer.text).toBe(200);
    expect(newer.body.expiresAt).toBe(new Date(startOfTests + 800 * days).toISOString());
    setClock(startOfTests + 400 * days + 2 * minutes);
    expectProblem(await chidi.get('/user/me'), 'auth.token-expired');
    const renewed = {
      ...chidi,
      ...participantOf(world, {
        ...newer,
        body: { ...newer.body, user: { identifier: chidi.id, name: chidi.name } },
      }),
    };
    expect((await renewed.get('/user/me')).body.identifier).toBe(chidi.id);
    setClock(startOfTests);
  });

  test('vouches for nobody of the provider, and no token of the provider for a participant', async () => {
    const chidi = await participant();
    const { sub } = claimsOf(chidi.token);
    const asProvided = await tokenOf(sub);
    expectProblem(await world.send('/user/me', requestOf({ token: asProvided })), 'user.not-signed-up');
    const secret = new TextEncoder().encode(env.AUTH_SECRET);
    const forged = await new SignJWT({ iss: participantIssuer, aud: env.AUTH_AUDIENCE, sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(secret);
    expectProblem(await world.send('/user/me', requestOf({ token: forged })), 'auth.token-invalid');
    // By turns, in one isolate: the cache tells them apart.
    await world.send('/user', requestOf({ method: 'POST', token: asProvided, body: { name: 'Eve' } }));
    for (let n = 0; n < 2; n++) {
      const eve = await world.send('/user/me', requestOf({ token: asProvided }));
      expect([eve.body.name, (await chidi.get('/user/me')).body.name]).toEqual(['Eve', chidi.name]);
    }
  });

  test('ends at once where it was ended, and within a minute everywhere', async () => {
    const chidi = await participant();
    const elsewhere = newApp();
    const ask = () => elsewhere.send('/user/me', { token: chidi.token });
    expect((await ask()).status).toBe(200);
    const newer = (await chidi.post('/user/me/token')).body.token;
    expect((await chidi.delete('/user/me/tokens')).status).toBe(204);
    for (const token of [chidi.token, newer])
      expectProblem(await world.send('/user/me', requestOf({ token })), 'auth.token-invalid');
    later(minutes);
    expectProblem(await ask(), 'auth.token-invalid');
    expectProblem(await chidi.post('/user/me/token'), 'auth.token-invalid');
    expectProblem(await chidi.post('/user', { name: 'Again' }), 'action.forbidden');
  });

  test('ends with its user', async () => {
    const chidi = await participant();
    const code = created(await relink(chidi)).code;
    expect((await chidi.delete('/user/me')).status).toBe(204);
    expectProblem(await chidi.get('/user/me'), 'auth.token-invalid');
    expectProblem(await enrol(world, code), 'resource.not-found');
    const rows = await env.DB.prepare('select count(*) as n from enrolment where user_id = ?').bind(chidi.id);
    expect(await rows.first('n')).toBe(0);
  });

  test('is accepted by older keys of the service, which are in its key set, until they are gone', async () => {
    const chidi = await participant();
    const old = env.PARTICIPANT_SIGNING_KEY;
    const next = await newKey();
    const both = serviceWith({ PARTICIPANT_SIGNING_KEY: `${next},${old}` });
    const renewed = await both.send('/user/me/token', { method: 'POST', token: chidi.token });
    expect(renewed.status, renewed.text).toBe(200);
    const { keys } = (await both.send('/.well-known/jwks.json')).body;
    expect(keys).toHaveLength(3);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    const { kid } = JSON.parse(atob(renewed.body.token.split('.')[0]));
    expect(kid).toBe(keys[1].kid);
    const alone = serviceWith({ PARTICIPANT_SIGNING_KEY: next });
    expect((await alone.send('/user/me', { token: renewed.body.token })).status).toBe(200);
    expectProblem(await alone.send('/user/me', { token: chidi.token }), 'auth.token-invalid');
  });

  test('is none without a key, and the routes are as if they were not there', async () => {
    const chidi = await participant();
    const { code, identifier } = await newCode(owner, study.id);
    const { send } = serviceWith({ PARTICIPANT_SIGNING_KEY: undefined });
    expectProblem(await send('/user/me', { token: chidi.token }), 'auth.token-invalid');
    const nowhere = await send('/no/such/route', { token: owner.token });
    for (const [method, path, body] of [
      ['POST', `/investigation/${study.id}/enrolment`, {}],
      ['GET', `/investigation/${study.id}/enrolments`],
      ['GET', `/enrolment/${identifier}`],
      ['GET', `/enrolment/${identifier}/qr`],
      ['DELETE', `/enrolment/${identifier}`],
      ['POST', `/investigation/${study.id}/member/${chidi.id}/relink`],
      ['POST', '/user/me/token'],
      ['DELETE', '/user/me/tokens'],
      ['POST', '/enrol', { code }],
    ] as const) {
      const answer = await send(path, { method, token: owner.token, body });
      expect([answer.status, answer.text], `${method} ${path}`).toEqual([404, nowhere.text]);
    }
  });

  test('is nobody else’s to ask for: users of the provider have theirs from there', async () => {
    expectProblem(await owner.post('/user/me/token'), 'action.forbidden');
    expectProblem(await changingNothing(() => owner.delete('/user/me/tokens')), 'action.forbidden');
  });
});

describe('a participant is a responder only', () => {
  test('an owner who would make them more', async () => {
    const chidi = await participant();
    const eve = await signUp('Eve');
    const hers = created(await eve.post('/investigation', { name: 'Hers' })).identifier;
    for (const role of ['owner', 'editor']) {
      const changed = await owner.patch(`/investigation/${study.id}/member/${chidi.id}`, { role });
      expectProblem(changed, 'action.forbidden');
      expectProblem(
        await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role }),
        'action.forbidden',
      );
    }
    expectProblem(await chidi.post('/investigation', { name: 'Mine' }), 'action.forbidden');
    created(await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role: 'responder' }));
    await owner.patch(`/investigation/${study.id}/member/${chidi.id}`, { code: 'P-017' });
    const { role } = (await chidi.get(`/investigation/${study.id}`)).body;
    expect(role).toBe('responder');
  });

  test('and signs nothing', async () => {
    const chidi = await participant();
    const night = await newCase(study, chidi);
    const items = { cases: [{ identifier: night }], status: 'locked', signature: { meaning: 'Reviewed' } };
    expectProblem(await chidi.post(`/investigation/${study.id}/lock-items`, items), 'auth.sign-in-stale');
    expect((await lock(chidi, study, { cases: [night] })).status).toBe(204);
  });

  test('a participant answers, keeps their account in order, and takes their data along', async () => {
    const chidi = await participant({ language: 'fr' });
    const night = await newCase(study, chidi);
    await newResponse(study, chidi, night);
    await chidi.patch('/user/me', { name: 'Chidi', timeZone: 'Europe/Rome', language: 'it' });
    expect((await chidi.get('/user/me')).body).toMatchObject({ name: 'Chidi', language: 'it' });
    const lines = linesOf((await chidi.get('/user/me/export')).text);
    expect(lines.find(({ kind }) => kind === 'user')).toMatchObject({
      language: 'it',
      enrolment: expect.stringMatching(/^[0-9a-f]{32}$/),
      issuer: participantIssuer,
    });
    expect((await chidi.patch('/user/me', { language: null })).body.language).toBeUndefined();
  });
});

describe('a new phone', () => {
  test('gets a token of the same user by a code, and the old one ends', async () => {
    const chidi = await participant();
    const before = (await owner.get(`/investigation/${study.id}/activity`)).body.activities[0].position;
    const answer = await relink(chidi, study.editor);
    const code = created(answer);
    expect(code).toMatchObject({
      user: `/user/${chidi.id}`,
      uses: 1,
      state: 'open',
      expiresAt: new Date(Date.now() + 24 * hours).toISOString(),
    });
    expect(answer.headers.get('location')).toBe(`/enrolment/${code.identifier}`);
    const { activities } = (await owner.get(`/investigation/${study.id}/activity`)).body;
    expect(activities[0]).toMatchObject({
      position: before + 1,
      action: 'member.relinked',
      actor: study.editor.id,
      details: { member: chidi.id },
    });
    expect((await chidi.get('/user/me')).status, 'until the code is used').toBe(200);
    const linked = await enrol(world, code.code);
    expect(linked.status).toBe(200);
    const phone = participantOf(world, linked);
    expect([phone.id, (await phone.get('/user/me')).body.name]).toEqual([chidi.id, chidi.name]);
    expectProblem(await chidi.get('/user/me'), 'auth.token-invalid');
    expectProblem(await enrol(world, code.code), 'resource.not-found');
    const list = (await owner.get(`/investigation/${study.id}/enrolments`)).text;
    expect(list).not.toContain(code.code);
    // Taken along: what others did to the membership.
    expect((await phone.get('/user/me/export')).text).toContain('"action":"member.relinked"');
  });

  test('a participant without an answer asks again with the same secret', async () => {
    const chidi = await participant();
    const { code } = created(await relink(chidi));
    const secret = newIdentifier(Date.now());
    const answers = [await enrol(world, code, { secret }), await enrol(world, code, { secret })];
    expect(answers.map(({ status, body }) => [status, body.user.identifier])).toEqual([
      [200, chidi.id],
      [200, chidi.id],
    ]);
    expectProblem(await enrol(world, code, { secret: newIdentifier(1) }), 'resource.not-found');
  });

  test('has a day, one code at a time, and only while its user takes part', async () => {
    const chidi = await participant();
    const first = created(await relink(chidi)).code;
    const second = created(await relink(chidi));
    expectProblem(await enrol(world, first), 'resource.not-found');
    expect((await owner.delete(`/enrolment/${second.identifier}`)).status).toBe(204);
    expectProblem(await enrol(world, second.code), 'resource.not-found');
    const third = created(await relink(chidi)).code;
    later(24 * hours);
    expectProblem(await enrol(world, third), 'resource.not-found');
    const fourth = created(await relink(chidi)).code;
    await chidi.delete(`/investigation/${study.id}/member/me`);
    expectProblem(await enrol(world, fourth), 'resource.not-found');
    expectProblem(await relink(chidi), 'resource.not-found');
    setClock(startOfTests);
  });

  test('gets a code only from the study that enrolled its user, and only if one did', async () => {
    const chidi = await participant();
    const eve = await signUp('Eve');
    const hers = created(await eve.post('/investigation', { name: 'Hers' })).identifier;
    created(await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role: 'responder' }));
    expectProblem(await relink(chidi, eve, hers), 'action.forbidden');
    expectProblem(await relink(study.responder), 'action.forbidden');
    expectProblem(await relink(chidi, study.responder), 'action.forbidden');
    expectProblem(await relink(chidi, eve), 'resource.not-found');
    expectProblem(await relink(eve), 'resource.not-found');
  });
});

describe('wrong codes', () => {
  const address = '203.0.113.7';

  test('are few from one address, also with a token that is none; others go on', async () => {
    const rateLimits = {
      user: tokenBuckets(0),
      address: tokenBuckets(0),
      code: tokenBuckets(3, () => 0),
      enrol: tokenBuckets(0),
    };
    const app = createApp({ ...createServices(env), rateLimits, log: () => {} }, readConfig(env));
    const call = async (code: string, from = address) => {
      const headers = { authorization: 'Bearer x' };
      const request = requestOf({ method: 'POST', body: { code }, headers });
      return readAnswer(await app.request('/enrol', request, { address: from }));
    };
    const { code } = await newCode(owner, study.id, { uses: 2 });
    for (let n = 0; n < 3; n++) expect((await call('7M2K-9QXB-4TWD')).status).toBe(404);
    const refused = await call('7M2K-9QXB-4TWD');
    expectProblem(refused, 'rate.limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await call(code)).status, 'a right one has to wait too').toBe(429);
    expect((await call(code, '203.0.113.8')).status).toBe(201);
    expect((await app.request('/user/me', {}, { address })).status, 'and other requests go on').toBe(401);
  });

  test('and right ones, secrets and tokens are in no line of the log', async () => {
    const { send, lines } = serviceWith({});
    const { code } = await newCode(owner, study.id);
    const secret = newIdentifier(Date.now());
    const answer = await send('/enrol', { method: 'POST', body: { code, secret } });
    await send('/enrol', { method: 'POST', body: { code, secret: newIdentifier(2) } });
    expect(lines.length).toBeGreaterThan(1);
    for (const text of [code, code.replaceAll('-', ''), secret, answer.body.token])
      expect(JSON.stringify(lines)).not.toContain(text);
  });
});
