import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRequirements } from '../../tools/validation/requirements.ts';

const project = join(import.meta.dirname, '../..');
const service = globSync('src/**/*.{ts,tsx}', { cwd: project });
const pages = globSync('{console,participant,client,public}/**/*.{ts,tsx,js,html}', {
  cwd: project,
  exclude: ['**/node_modules/**', 'client/dist/**', 'public/{console,p}/**', 'public/docs/swagger*'],
});

const filesWith = (pattern: RegExp, files = service) =>
  files.filter((file) => pattern.test(readFileSync(join(project, file), 'utf8')));

test.each([
  ['runs text as code', /\beval\(|new Function\(/],
  [
    'puts text into a page as HTML',
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write/,
  ],
  ['sets or reads a cookie', /document\.cookie|set-cookie|hono\/cookie/i],
  ['accepts a certificate that nobody vouches for', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
  ['uses MD5', /\bmd5\b/i],
])('no source %s', (_, pattern) => {
  expect([service.length > 300, pages.length > 150]).toEqual([true, true]);
  expect(filesWith(pattern, [...service, ...pages])).toEqual([]);
});

test('the service starts no process but systemd’s own, with no argument from outside', () => {
  expect(filesWith(/child_process|Deno\.Command/)).toEqual(['src/platform/server/systemd.ts']);
  const source = readFileSync(join(project, 'src/platform/server/systemd.ts'), 'utf8');
  expect(source.match(/(?:execFile|spawn|exec|fork)\(.*/g)).toEqual([
    "execFile('systemd-notify', [state], (error) => error && !error.signal && failed(error));",
  ]);
  expect(source.match(/\btell\(.*?\)/g)).toEqual(["tell('READY=1')", "tell('WATCHDOG=1')"]);
});

test('Math.random spreads retries, and draws nothing that has to be unguessable', () => {
  expect(filesWith(/Math\.random\(/).sort()).toEqual([
    'src/platform/cloudflare/delivery-slots.ts',
    'src/reminders/claim.ts',
    'src/retry.ts',
    'src/webhooks/delivery.ts',
  ]);
});

/** Requirements of levels 1 and 2 in each section of OWASP ASVS 5.0.0, and in all those of level 1. */
const published = `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1
4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1
16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;
const ofLevel1 = 70;

const requirements = readRequirements().security.flatMap(({ rows }) => rows);

test('requirements.json has every requirement of ASVS of levels 1 and 2, in order, and no other', () => {
  const expected = published.split(/\s/).flatMap((one) => {
    const [section, count] = one.split(':');
    return Array.from({ length: Number(count) }, (_, n) => `${section}.${n + 1}`);
  });
  expect(requirements.map(({ number }) => number)).toEqual(expected);
  expect(requirements.filter(({ level }) => level === 1)).toHaveLength(ofLevel1);
  expect(requirements.filter(({ level }) => level !== 1 && level !== 2)).toEqual([]);
});

test('each is met by something that a link shows, or does not apply for a reason, or is a gap that is described', () => {
  for (const { number, asks, state, because } of requirements) {
    expect(asks, number).toMatch(/\w/);
    expect(['met', 'not applicable', 'gap'], number).toContain(state);
    expect(because, number).toMatch(state === 'met' ? /\]\([^)]+\)/ : /\w{3}/);
    for (const [, path = ''] of because.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(join(project, path)), `${number}: ${path}`).toBe(true);
  }
});

test('docs/operators/security.md counts what it says', () => {
  const document = readFileSync(join(project, 'docs/operators/security.md'), 'utf8').replaceAll('\n', ' ');
  const [, ...counts] = /(\d+) are met, (\d+) do not apply, and (\d+) are gaps/.exec(document) ?? [];
  const count = (wanted: string) => requirements.filter(({ state }) => state === wanted).length;
  expect(counts.map(Number)).toEqual(['met', 'not applicable', 'gap'].map(count));
});
