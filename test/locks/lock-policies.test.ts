import { describe, expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import { type Answer, created, type Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { send, sleepStudy, tokenOf } from '../support/worker/world.ts';

const setPolicy = ({ id }: Study, by: Person, lockPolicy: object) =>
  by.patch(`/investigation/${id}`, { lockPolicy });

/** A request of a person who signed in this many seconds ago; undefined: the token does not say. */
async function sendAs(
  person: Person,
  age: number | undefined,
  path: string,
  body: object,
  method = 'POST',
): Promise<Answer> {
  const subject = person.email.split('@')[0] ?? '';
  const auth_time = age === undefined ? undefined : Math.floor(Date.now() / 1000) - age;
  const token = await tokenOf(subject, { ...(auth_time !== undefined && { auth_time }) });
  return send(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const signature = { meaning: 'I have reviewed these answers' };

test('a study says its policy: that of the interface until an owner changes it, which is logged', async () => {
  const study = await sleepStudy();
  const { owner, editor } = study;
  const policy = async () => (await editor.get(`/investigation/${study.id}`)).body.lockPolicy;
  expect(await policy()).toEqual({ unlock: 'viewers', signature: false });
  expectProblem(await setPolicy(study, editor, { signature: true }), 'action.forbidden');
  expect((await setPolicy(study, owner, { signature: true })).body.lockPolicy).toEqual({
    unlock: 'viewers',
    signature: true,
  });
  const path = `/investigation/${study.id}`;
  const off = { lockPolicy: { unlock: 'owners', signature: false } };
  await changingNothing(async () => {
    expectProblem(await owner.patch(path, off), 'request.invalid', ['/signature']);
    expectProblem(await sendAs(owner, 301, path, { ...off, signature }, 'PATCH'), 'auth.sign-in-stale');
  });
  expect((await sendAs(owner, 10, path, { ...off, signature }, 'PATCH')).status).toBe(200);
  expect(await policy()).toEqual({ unlock: 'owners', signature: false });
  expect((await readLog(study, owner)).slice(-2)).toMatchObject([
    { action: 'study.changed', details: { before: { lockPolicy: { signature: false } } } },
    {
      details: {
        before: { lockPolicy: { unlock: 'viewers', signature: true } },
        after: { lockPolicy: { unlock: 'owners', signature: false } },
      },
      signature: { name: 'Ada', meaning: signature.meaning },
    },
  ]);
  await changingNothing(async () => {
    expect((await setPolicy(study, owner, { unlock: 'owners' })).status).toBe(200);
    expectProblem(await setPolicy(study, owner, { unlock: 'nobody' }), 'request.invalid', [
      '/lockPolicy/unlock',
    ]);
    expectProblem(await setPolicy(study, owner, { signature: 'yes' }), 'request.invalid', [
      '/lockPolicy/signature',
    ]);
  });
});

test('a study may begin with a policy, and a repeat of its creation with another is refused', async () => {
  const { owner } = await sleepStudy();
  const identifier = newIdentifier(Date.now());
  const study = { name: 'Trial', identifier, lockPolicy: { unlock: 'owners' } };
  const policy = { unlock: 'owners', signature: false };
  expect(created(await owner.post('/investigation', study)).lockPolicy).toEqual(policy);
  expect(await owner.post('/investigation', study)).toMatchObject({
    status: 200,
    body: { lockPolicy: policy },
  });
  expect((await owner.get(`/investigation/${identifier}`)).body.lockPolicy).toEqual(policy);
  await changingNothing(async () => {
    const other = { ...study, lockPolicy: { unlock: 'viewers' } };
    expectProblem(await owner.post('/investigation', other), 'identifier.taken');
    const wrong = { ...study, lockPolicy: { unlock: 'nobody' } };
    expectProblem(await owner.post('/investigation', wrong), 'request.invalid', ['/lockPolicy/unlock']);
  });
  const signed = { name: 'Signed', lockPolicy: { signature: true } };
  expect(created(await owner.post('/investigation', signed)).lockPolicy).toEqual({
    unlock: 'viewers',
    signature: true,
  });
});

test('if only owners unlock, everyone who sees an item still locks it', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const night = await newCase(study, responder);
  await setPolicy(study, owner, { unlock: 'owners' });
  for (const person of [responder, editor]) {
    expect((await lock(person, study, { cases: [night] })).status).toBe(204);
    await changingNothing(async () => {
      expectProblem(await lock(person, study, { cases: [night] }, 'unlocked'), 'action.forbidden');
      const all = { status: 'unlocked', filter: {} };
      const path = `/investigation/${study.id}/lock-matching`;
      expectProblem(await person.post(path, all), 'action.forbidden');
    });
    expect((await lock(owner, study, { cases: [night] }, 'unlocked')).status).toBe(204);
  }
  await setPolicy(study, owner, { unlock: 'viewers' });
  await lock(editor, study, { cases: [night] });
  expect((await lock(responder, study, { cases: [night] }, 'unlocked')).status).toBe(204);
});

describe('a signature', () => {
  test('is kept with the name, the meaning and the time, and shown where the lock is read', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder } = study;
    const night = await newCase(study, responder);
    const answer = await newResponse(study, responder, night);
    const path = `/investigation/${study.id}/lock-items`;
    const items = { cases: [{ identifier: night }], responses: [{ identifier: answer }] };
    expect((await sendAs(editor, 10, path, { ...items, status: 'locked', signature })).status).toBe(204);
    const kept = { name: 'Bruno', meaning: signature.meaning, at: '2027-03-01T08:00:00.000Z' };
    const [entry] = (await readLog(study, owner)).slice(-1);
    expect(entry).toMatchObject({ action: 'items.locked', actor: editor.id, signature: kept });
    // The name is that of the signer then.
    await editor.patch('/user/me', { name: 'Bruno Reyes' });
    for (const item of [`/case/${night}`, `/response/${answer}`]) {
      for (const reader of [owner, editor]) expect((await reader.get(item)).body.lockSignature).toEqual(kept);
      expect((await responder.get(item)).body).not.toHaveProperty('lockSignature');
    }
    for (const list of ['cases', 'responses']) {
      const listedFor = async (reader: Person) =>
        (await reader.get(`/investigation/${study.id}/${list}`)).body[list][0];
      for (const reader of [owner, editor]) expect((await listedFor(reader)).lockSignature).toEqual(kept);
      expect(await listedFor(responder)).toHaveProperty('lockedAt');
      expect(await listedFor(responder)).not.toHaveProperty('lockSignature');
    }
    expect((await owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);

    await lock(owner, study, { cases: [night] }, 'unlocked');
    expect((await owner.get(`/case/${night}`)).body).not.toHaveProperty('lockSignature');
    await lock(owner, study, { cases: [night] });
    expect((await owner.get(`/case/${night}`)).body).not.toHaveProperty('lockSignature');
  });

  const ways: [string, (study: Study, night: string) => [path: string, body: object]][] = [
    [
      'lock-items',
      (study, night) => [
        `/investigation/${study.id}/lock-items`,
        { cases: [{ identifier: night }], status: 'locked' },
      ],
    ],
    ['lock-matching', ({ id }) => [`/investigation/${id}/lock-matching`, { status: 'locked', filter: {} }]],
    ['freeze', ({ id }) => [`/investigation/${id}/freeze`, { status: 'frozen', reason: 'Final' }]],
  ];
  test.each(ways)('needs a fresh sign-in, with the challenge of RFC 9470: %s', async (_, way) => {
    const study = await sleepStudy();
    const { owner } = study;
    const [path, body] = way(study, await newCase(study, owner));
    await changingNothing(async () => {
      for (const age of [301, 3600, -120, undefined]) {
        const refused = await sendAs(owner, age, path, { ...body, signature });
        expectProblem(refused, 'auth.sign-in-stale');
        expect(refused.headers.get('www-authenticate')).toBe(
          'Bearer error="insufficient_user_authentication", error_description="A fresh sign-in is needed", max_age="300"',
        );
      }
      for (const bad of [{}, { meaning: '' }, { meaning: 'x', name: 'Eve' }])
        expect((await sendAs(owner, 0, path, { ...body, signature: bad })).body.code).toBe('request.invalid');
    });
    expect((await sendAs(owner, 300, path, { ...body, signature })).status).toBeLessThan(300);
    expect((await readLog(study, owner)).at(-1)).toMatchObject({ signature: { name: 'Ada' } });
  });

  test.each(ways)('must be there where the policy says so: %s', async (_, way) => {
    const study = await sleepStudy();
    const { owner } = study;
    await setPolicy(study, owner, { signature: true });
    const [path, body] = way(study, await newCase(study, owner));
    await changingNothing(async () =>
      expectProblem(await sendAs(owner, 0, path, body), 'request.invalid', ['/signature']),
    );
    expect((await sendAs(owner, 0, path, { ...body, signature })).status).toBeLessThan(300);
  });

  test('a token that was fresh is not fresh for ever', async () => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const subject = study.owner.email.split('@')[0] ?? '';
    const token = await tokenOf(subject, { auth_time: Math.floor(Date.now() / 1000) });
    const sign = (status: string) =>
      send(`/investigation/${study.id}/lock-items`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ cases: [{ identifier: night }], status, signature }),
      });
    expect((await sign('locked')).status).toBe(204);
    later(6 * minutes);
    expectProblem(await sign('unlocked'), 'auth.sign-in-stale');
  });

  test('archiving takes none', async () => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const body = { cases: [{ identifier: night }], status: 'archived', signature };
    expectProblem(
      await study.owner.post(`/investigation/${study.id}/archive-items`, body),
      'request.invalid',
      ['/signature'],
    );
  });
});
