import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { send, sleepStudy, stranger } from '../support/worker/world.ts';

/*
 * Nothing that somebody sends comes back as a document that a browser would run: answers are JSON that is not sniffed.
 */
const hostile = `<img src=x onerror=alert(1)>"'</script><script>alert(1)</script>`;
const inPath = encodeURIComponent(hostile);

let study: Study;

beforeAll(async () => {
  study = await sleepStudy();
});

/** Browsers are told that the answer is not a page, whatever its body. */
function expectInert(answer: Answer, what: string) {
  const type = answer.headers.get('content-type') ?? '';
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.headers.get('x-content-type-options'), what).toBe('nosniff');
  if (answer.text !== '')
    expect(type, what).toMatch(/^(?:application\/(?:problem\+)?json|text\/csv|image\/svg)/);
  for (const [name, value] of answer.headers) expect(value, `${what}: ${name}`).not.toContain('<img');
}

describe('hostile text', () => {
  test('in paths, queries and headers, with a token and without', async () => {
    const paths = [
      `/${inPath}`,
      `/case/${inPath}`,
      `/user/${inPath}/avatar`,
      `/investigation/${study.id}/cases?cursor=${inPath}`,
      `/investigation/${study.id}/cases?limit=${inPath}&${inPath}=1`,
      `/problems/${inPath}`,
      `/relay/${inPath}`,
    ];
    for (const path of paths) {
      for (const accept of ['text/html', '*/*']) {
        expectInert(await study.owner.get(path, { accept }), path);
        expectInert(await send(path, { headers: { accept } }), `${path} by nobody`);
      }
    }
    for (const header of ['if-match', 'if-none-match', 'origin', 'authorization', 'accept'])
      expectInert(await study.owner.get(`/survey/${study.survey}`, { [header]: hostile }), header);
  });

  test('in the fields of bodies, and in their keys', async () => {
    const night = await newCase(study, study.owner);
    const bodies: [string, object][] = [
      [`/investigation/${study.id}/case`, { label: hostile, identifier: hostile }],
      [`/investigation/${study.id}/case`, { [hostile]: hostile }],
      [`/investigation/${study.id}/member`, { email: hostile, role: hostile }],
      [
        `/investigation/${study.id}/survey`,
        { name: hostile, items: [{ identifier: hostile, label: hostile }] },
      ],
      [`/investigation/${study.id}/lock-items`, { cases: [{ identifier: hostile }], status: hostile }],
      [`/survey/${study.survey}/response`, { case: night, items: { [hostile]: hostile } }],
      ['/user/me/device', { platform: hostile, token: hostile, timeZone: hostile }],
      ['/reminders/preview', { reminders: { type: hostile, recurrence: hostile }, timeZone: hostile }],
    ];
    for (const [path, body] of bodies) expectInert(await study.owner.post(path, body), path);
  });

  test('that is kept comes back as JSON, CSV, or escaped in an image', async () => {
    const mallory = await stranger('Mallory');
    await mallory.post('/user', { name: hostile });
    const own = await mallory.post('/investigation', { name: hostile });
    const id = own.body.identifier;
    await mallory.post(`/investigation/${id}/case`, { label: hostile });
    await mallory.post(`/investigation/${id}/survey`, { name: hostile, items: [] });
    const reads = [
      '/user/me',
      '/investigation',
      `/investigation/${id}/cases`,
      `/investigation/${id}/surveys`,
    ];
    for (const path of reads) {
      const answer = await mallory.get(path, { accept: 'text/html' });
      expectInert(answer, path);
      expect(answer.text).toContain('<img');
    }
    const csv = await mallory.get(`/investigation/${id}/cases`, { accept: 'text/csv' });
    expectInert(csv, 'csv');
    const avatar = await mallory.get('/user/me/avatar');
    expectInert(avatar, 'avatar');
    expect(avatar.text).not.toMatch(/<(?:img|script)/);
    expect(avatar.headers.get('content-security-policy')).toContain('sandbox');
  });
});

test('every answer carries the headers that keep browsers from guessing', async () => {
  for (const answer of [await send('/health'), await send('/user/me'), await study.owner.get('/user/me')]) {
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  }
});
