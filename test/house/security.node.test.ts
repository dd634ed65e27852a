import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
