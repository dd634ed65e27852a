import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { newStudy } from '../support/studies.ts';
import { begin, openAt, openPhone } from './support/phone.ts';

/* Files of the participants' page, as each runtime serves them. */

const sent = [
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'cache-control',
  'content-type',
];
/** Of everything that the first view fetches, compressed. */
const budgetBytes = 60 * 1024;

describeConsole("the files of the participants' page", (get) => {
  const read = async (path: string) => {
    const answer = await fetch(get().service.url + path);
    return { answer, text: await answer.text(), headers: sent.map((name) => answer.headers.get(name)) };
  };

  test('they are locked down; those with a hash are cached for good, the page and its worker are not', async () => {
    const page = await read('/p/');
    const html = 'text/html; charset=UTF-8';
    expect([page.answer.status, ...page.headers]).toEqual([
      200,
      expect.stringMatching(/^default-src 'none'; .*trusted-types fieldbell$/),
      'no-referrer',
      'nosniff',
      'no-cache',
      html,
    ]);
    const worker = await read('/p/sw.js');
    expect([worker.answer.status, ...worker.headers]).toEqual([
      200,
      "default-src 'none'; connect-src 'self'",
      'no-referrer',
      'nosniff',
      'no-cache',
      expect.stringMatching(/^text\/javascript/),
    ]);
    const named = [...page.text.matchAll(/(?:href|src)="(\/p\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(4);
    for (const path of named) {
      const { answer, headers } = await read(path);
      expect([path, answer.status, headers[3]]).toEqual([path, 200, 'public, max-age=31536000, immutable']);
    }
    expect(page.text).not.toMatch(/<script>|\son\w+=|style=|https?:/);
    const files = /\[("\/p\/assets\/[^\]]+)\]/.exec(worker.text)?.[1] ?? '';
    for (const path of JSON.parse(`[${files}]`)) expect((await read(path)).answer.status, path).toBe(200);
    expect((await fetch(`${get().service.url}/p/assets/gone-12345678.js`)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await fetch(`${get().service.url}/p`, { redirect: 'manual' })).headers.get('location')).toBe(
      '/p/',
    );
  });

  test('it can be put on a home screen: names, icons of the right sizes, and its own place', async () => {
    const page = await read('/p/');
    const [, address = ''] = /rel="manifest" href="([^"]+)"/.exec(page.text) ?? [];
    const { answer, text } = await read(address);
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(text);
    expect(manifest).toMatchObject({ id: '/p/', start_url: '/p/', scope: '/p/', display: 'standalone' });
    const icons: { src: string; sizes: string }[] = manifest.icons;
    expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
    for (const { src, sizes } of icons) {
      const bytes = Buffer.from(await (await fetch(get().service.url + src)).arrayBuffer());
      // The header of a PNG: its width and its height.
      expect([bytes.toString('latin1', 1, 4), `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual(
        ['PNG', sizes],
      );
    }
  });

  test('the first view fetches at most 60 KB, compressed', async () => {
    const { world, service } = get();
    const study = await newStudy(world, { of: 'size' });
    const phone = await openPhone(get());
    const fetched = new Map<string, number>();
    phone.page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/p/'))
        fetched.set(pathname, gzipSync(await response.body().catch(() => '')).length);
    });
    await begin(phone, service.url, study.other, study);
    await openAt(phone.page, service.url);
    const worker = gzipSync(Buffer.from((await read('/p/sw.js')).text)).length;
    const bytes = [...fetched.values()].reduce((sum, one) => sum + one, worker);
    console.log(`The first view: ${bytes} bytes in ${fetched.size + 1} files, compressed.`);
    expect(fetched.size).toBeGreaterThanOrEqual(4);
    expect(bytes).toBeLessThan(budgetBytes);
  });

  test('a code in the address is removed from it before anything is asked for', async () => {
    const phone = await openPhone(get());
    const asked: string[] = [];
    phone.page.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`));
    await openAt(phone.page, get().service.url, '#7KQM-2XWD-94PT');
    expect(await phone.page.getByLabel('Your code').inputValue()).toBe('7KQM-2XWD-94PT');
    expect(phone.page.url()).toBe(`${get().service.url}/p/`);
    expect(asked.slice(1).join(' ')).not.toContain('7KQM');
    await phone.page.goBack().catch(() => null);
    expect(await phone.page.evaluate('location.hash')).toBe('');
  });
});
