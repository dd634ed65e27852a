import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileAt, withStaticFiles } from '../../src/platform/server/static-files.ts';

const fetch = withStaticFiles(() => new Response('the service', { status: 418 }));
const get = async (path: string, method = 'GET') => fetch(new Request(`http://localhost${path}`, { method }));

const page = readFileSync('public/docs/index.html', 'utf8');
const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name as string);

test('the page and all that it names are served', async () => {
  const index = await get('/docs/');
  expect(await index.text()).toBe(page);
  expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(named).toHaveLength(5);
  for (const name of named.filter((one) => one !== '/openapi.json')) {
    const answer = await get(`/docs/${name}`);
    expect(answer.status, name).toBe(200);
    expect((await answer.arrayBuffer()).byteLength, name).toBeGreaterThan(100);
    expect(answer.headers.get('content-type'), name).toMatch(/^(?:text\/(?:css|javascript)|image\/png)/);
  }
});

test('the page may load from its own host only, and runs no script that stands in it', async () => {
  const policy = (await get('/docs/')).headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*connect-src 'self'/);
  expect(page).not.toMatch(/<script>|\son\w+=|https?:/);
});

test('everything else goes to the service', async () => {
  for (const path of [
    '/docs',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/absent.js',
    '/health',
  ])
    expect((await get(path)).status, path).toBe(418);
  expect((await get('/docs/', 'POST')).status).toBe(418);
  expect(await (await get('/docs/', 'HEAD')).text()).toBe('');
});

test('Cloudflare gets the same files', () => {
  const copied = readFileSync('build/copy-docs.mjs', 'utf8');
  const own = ['show.js', '/openapi.json'];
  for (const name of named.filter((one) => !own.includes(one))) expect(copied).toContain(`'${name}'`);
});

test('the page of participants has its worker beside it, and a type for its manifest', async () => {
  expect(fileAt('/p/sw.js')).toMatch(/\/public\/p\/sw\.js$/);
  expect(fileAt('/p/assets/app-0B7F17B9.webmanifest')).toMatch(/\/public\/p\/assets\//);
  for (const path of ['/p/', '/p/index.html', '/p/other.js', '/p/assets/.main.js.12.tmp'])
    expect(fileAt(path), path).toBeUndefined();
});

test('a file of the console may have any number of dots in its name, and is of its folder', () => {
  for (const name of ['main-HIJ3K.js', 'plot.worker-HIJ3K.js', 'a.b.c.css'])
    expect(fileAt(`/console/assets/${name}`)).toMatch(new RegExp(`/public/console/assets/${name}$`));
  for (const name of ['', '.main.js.12.tmp', '../index.html', 'a/../../b.js', 'a..js', 'a.js/', 'a%2fb.js'])
    expect(fileAt(`/console/assets/${name}`), name).toBeUndefined();
});
