import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalService, localService } from '../support/local-service.ts';
import { newCode } from '../support/participants.ts';
import { created, type Person, readAnswer, requestOf, signUp } from '../support/people.ts';

/* Requests that are refused for their size alone, before a parser or a schema works on them. */

let service: LocalService;
let ada: Person;

beforeAll(async () => {
  service = await localService();
  ada = await signUp(service.world, 'Ada');
});

afterAll(() => service.dispose());

const send = (path: string, init: RequestInit) => service.world.send(path, init);
const post = (path: string, body: unknown, token?: string) =>
  send(path, requestOf({ method: 'POST', body, token }));

describe('a body in the shape of no request', () => {
  const nested = (levels: number) => `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const wide = (members: number) => `[${Array(members).fill(0).join()}]`;
  const detailOf = async (body: string) => {
    const answer = await ada.post('/investigation', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
    return answer.body.errors[0];
  };

  test.each([
    ['deeper than 32 levels', nested(33), 'Nested too deeply: expected at most 32 levels.'],
    ['deep and without an end', '{"name":'.repeat(100), 'Nested too deeply: expected at most 32 levels.'],
    [
      'with more than 2,000 values in a list',
      `{"name":${wide(2_001)}}`,
      'Too many values: expected at most 2000 in a list or an object.',
    ],
    [
      'with more than 2,000 fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [n, 0]))),
      'Too many values: expected at most 2000 in a list or an object.',
    ],
    [
      'with more than 20,000 values',
      `{"name":[${Array(11).fill(wide(2_000)).join()}]}`,
      'Too many values: expected at most 20000 in a body.',
    ],
  ])('%s', async (_, body, detail) => {
    expect(await detailOf(body)).toEqual({ pointer: '', detail });
  });

  test('at the bounds its schema has the word', async () => {
    const values = `[${Array(9).fill(wide(2_000)).join()}]`;
    for (const body of [nested(32), `{"name":${wide(2_000)}}`, `{"name":${values}}`])
      expect((await detailOf(body)).pointer).toBe('/name');
  });

  test('brackets, commas and quotes within a text do not count', async () => {
    const name = `${'[{,"\\'.repeat(30)}é`;
    const padded = `${' '.repeat(300_000)}${JSON.stringify({ name })}${'\n'.repeat(300_000)}`;
    expect(created(await ada.post('/investigation', padded)).name).toBe(name);
  });

  test('a key of any length is named in part, and not repeated', async () => {
    for (const [body, pointer] of [
      [{ name: 'Sleep', ['~'.repeat(500_000)]: 1 }, ''],
      [{ name: { ['/'.repeat(201)]: 1 } }, '/name'],
    ]) {
      const answer = await ada.post('/investigation', body);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
      expect(answer.text.length).toBeLessThan(600);
    }
  });

  test('faults are listed up to a thousand', async () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 1_900 }, (_, n) => [`${'k'.repeat(190)}${n}`, 0]),
    );
    const answer = await ada.post('/investigation', unknown);
    expect(answer.body.errors).toHaveLength(1_000);
    expect(answer.text.length).toBeLessThan(400_000);
  });
});

describe('a route without a token', () => {
  test('enrolling takes 8 KiB, enough for the longest name however it is written', async () => {
    const study = created(await ada.post('/investigation', { name: 'Sleep' })).identifier;
    const { code } = await newCode(ada, study);
    const escaped = (name: string) => `{"code":"${code}","secret":"${'s'.repeat(128)}","name":"${name}"}`;
    const longest = escaped('\\ud83d\\ude00'.repeat(200));
    const enrolled = await post('/enrol', longest);
    expect([enrolled.status, enrolled.body.user.name]).toEqual([201, '😀'.repeat(200)]);
    const filled = (bytes: number) => longest.padEnd(bytes);
    expect((await post('/enrol', filled(8 * 1024))).status).toBe(200);
    const refused = await post('/enrol', filled(8 * 1024 + 1));
    expect([refused.status, refused.body.detail]).toEqual([413, 'Expected a body of at most 8 KiB.']);
  });

  test('the push relay sends 16 KiB', async () => {
    const event = (bytes: number) => JSON.stringify({ Type: 'Notification' }).padEnd(bytes);
    expect((await post('/relay/events', event(16 * 1024))).status).toBe(400);
    const refused = await post('/relay/events', event(16 * 1024 + 1));
    expect([refused.status, refused.body.detail]).toEqual([413, 'Expected a body of at most 16 KiB.']);
  });

  test.each([
    ['no token', {}, 401],
    ['a token that is none', { authorization: 'Bearer x.y.z' }, 401],
    ['an address that is too long', {}, 400],
  ])('with %s no body is read', async (what, headers, status) => {
    let read = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          read += 1;
          if (read > 3) controller.close();
          else controller.enqueue(new TextEncoder().encode(' '.repeat(1024)));
        },
      },
      { highWaterMark: 0 },
    );
    const path = what.includes('address') ? `/user?${'x'.repeat(8_000)}` : '/user';
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    expect([(await send(path, { ...init, duplex: 'half' } as RequestInit)).status, read]).toEqual([
      status,
      0,
    ]);
  });
});

describe('the head of a request', () => {
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    readAnswer(await service.app.fetch(new Request(`http://a.test${path}`, { headers }), {}));
  const { length: before } = 'http://a.test/user/me?';

  test('an address has at most 8,000 characters', async () => {
    const authorization = `Bearer ${ada.token}`;
    const fits = await ask(`/user/me?${'x'.repeat(8_000 - before)}`, { authorization });
    expect(fits.body.errors[0].parameter).toBe('x'.repeat(80));
    const refused = await ask(`/user/me?${'x'.repeat(8_001 - before)}`, { authorization });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', detail: 'Expected an address of at most 8000 characters.' },
    });
    expect((await ask(`/${'x'.repeat(300_000)}`)).status).toBe(400);
  });

  test('a header has at most 8,000 characters, a token 16,000', async () => {
    const refused = await ask('/health', { accept: 'x'.repeat(8_001) });
    expect(refused.body.errors).toEqual([
      { parameter: 'accept', detail: 'Expected a header of at most 8000 characters.' },
    ]);
    expect((await ask('/health', { accept: 'x'.repeat(8_000) })).status).toBe(200);
    expect(await ask('/user/me', { authorization: `Bearer ${'x'.repeat(16_000)}` })).toMatchObject({
      status: 401,
      body: { code: 'auth.token-invalid', detail: 'Expected a token of at most 16000 characters.' },
    });
  });
});
