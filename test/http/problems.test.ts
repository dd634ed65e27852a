import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/errors.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { newApp } from '../support/worker/apps.ts';
import { send, signUp, sleepStudy, tokenOf } from '../support/worker/world.ts';

test.each(Object.entries(catalogue))('%s has a page, for people and for programs', async (code, problem) => {
  const json = await send(`/problems/${code}`);
  expect(json.status).toBe(200);
  expect(json.body).toEqual({ code, ...problem });
  const page = await send(`/problems/${code}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(page.text).toContain(`<h1>${problem.title}</h1>`);
  expect(page.text).toContain(`HTTP ${problem.status}`);
  expect(page.text).not.toContain('`');
  for (const { headers } of [json, page]) expect(headers.get('vary')).toBe('accept');
});

test('there is no page for what is not a problem', async () => {
  for (const code of ['nothing', 'toString', '__proto__', 'item.locked%2F', '%3Cscript%3E'])
    expect((await send(`/problems/${code}`)).body.code, code).toBe('resource.not-found');
});

test('a problem is a document of RFC 9457, whose type resolves to its page', async () => {
  const study = await sleepStudy();
  const { owner, editor } = study;
  const answers = [
    await send('/user/me'),
    await owner.get('/nowhere'),
    await owner.post('/investigation', '{"name":'),
    await owner.post('/investigation', { name: 5, colour: 'red' }),
    await owner.post('/investigation', 'x'.repeat(1024 * 1024 + 1)),
    await owner.post('/investigation', { name: 'x' }, { 'content-type': 'text/plain' }),
    await editor.patch(`/investigation/${study.id}`, { name: 'Mine' }),
    await owner.delete(`/investigation/${study.id}/member/me`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 400, 400, 413, 415, 403, 409]);
  for (const { status, headers, body } of answers) {
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toMatchObject({
      type: `/problems/${body.code}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
    });
    expect((await send(body.type)).body).toMatchObject({ code: body.code, status });
  }
  expect(answers[3]?.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/name',
    '/colour',
  ]);
});

test('the line of a request names the route that answers, and nothing of the path', async () => {
  const { send: ask, lines } = newApp();
  const { token } = await signUp('Ada');
  for (const [method, path] of [
    ['POST', '/user'],
    ['GET', '/health'],
    ['GET', '/user/me'],
    ['GET', '/user/me?email=zoe@example.org'],
    ['GET', `/case/${'1'.repeat(32)}`],
    ['GET', '/nowhere'],
    ['PUT', '/investigation'],
  ] as const)
    await ask(path, { method, token, ...(method === 'POST' && { body: { name: 'Ada' } }) });
  const logged = lines.filter(({ event }) => event === 'request');
  expect(logged.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/user', 200],
    ['GET', '/health', 200],
    ['GET', '/user/:id', 200],
    ['GET', '/user/:id', 400],
    ['GET', '/case/:id', 404],
    ['GET', '/*', 404],
    ['PUT', '/investigation', 405],
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/1{32}|nowhere|zoe/);
});

test('a client that hangs up while it sends its request is logged as that, and is no fault', async () => {
  const { app, lines } = newApp();
  const { token } = await signUp('Ada');
  for (const headers of [{}, { 'content-length': '100' }]) {
    lines.length = 0;
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"name":'));
        controller.error(new Error('Network connection lost.'));
      },
    });
    const answer = await app.request('/investigation', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });
    expect(answer.status).toBe(499);
    expect(lines.map(({ event, status }) => [event, status])).toEqual([
      ['client.closed', undefined],
      ['request', 499],
    ]);
  }
});

/** A database whose every statement fails with what the driver says. */
function brokenDb(message: string) {
  const fail = () => {
    throw new Error(`D1_ERROR: ${message}: select secret_column from user where token = 'hush'`);
  };
  const statement = { bind: () => statement, all: fail, raw: fail, run: fail, first: fail };
  const DB = { prepare: () => statement, batch: fail } as unknown as D1Database;
  return createServices({ ...env, DB }).db;
}

test('a fault of ours is a 500 that shows nothing of what went wrong, and is logged', async () => {
  const { send: ask, lines } = newApp({ db: brokenDb('no such table') });
  const token = await tokenOf('ada');
  for (const [method, path] of [
    ['GET', '/user/me'],
    ['GET', '/investigation'],
    ['POST', '/user'],
  ] as const) {
    const answer = await ask(path, { method, token, ...(method === 'POST' && { body: { name: 'Ada' } }) });
    expect([answer.status, answer.body.code]).toEqual([500, 'internal.error']);
    expect(answer.text).not.toMatch(/select|secret|hush|D1|\.ts|stack/i);
    expect(answer.text).not.toContain(token);
    const id = answer.headers.get('x-request-id');
    expect(lines.filter((line) => line.requestId === id).map((line) => line.event)).toEqual([
      'request.failed',
      'request',
    ]);
  }
  expect(JSON.stringify(lines)).not.toContain(token);
});

test.each([
  'D1 DB is overloaded. Requests queued for too long.',
  'D1 DB is overloaded. Too many requests queued.',
  'D1 DB reset because its code was updated.',
  'Network connection lost.',
  'D1 DB storage operation exceeded timeout which caused object to be reset.',
])('a database in trouble (%s) is a 503 that says when to come back', async (message) => {
  const { send: ask } = newApp({ db: brokenDb(message) });
  const answer = await ask('/user/me', { token: await tokenOf('ada') });
  expect([answer.status, answer.body.code]).toEqual([503, 'database.overloaded']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/select|hush|D1/);
});

test('words of the caller do not make a fault look like an overloaded database', async () => {
  const ada = await signUp('Ada');
  const { send: ask } = newApp({ db: brokenDb('no such table') });
  const answer = await ask('/user', { method: 'POST', token: ada.token, body: { name: 'overloaded' } });
  expect(answer.status).toBe(500);
});
