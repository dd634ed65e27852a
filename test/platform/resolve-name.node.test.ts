import { lookup } from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResolveName } from '../../src/platform/server/resolve-name.ts';
import { createWebhookCalls } from '../../src/platform/server/webhook-calls.ts';
import { createFaultOf } from '../../src/platform/server/webhook-faults.ts';
import { startNameServer } from './support/name-server.ts';

const inside = 'Expected a host on the public internet, not a private, loopback or link-local one.';
const request = (url: string) => ({ url, headers: {}, body: '{}' });
const never = new AbortController().signal;

let dns: Awaited<ReturnType<typeof startNameServer>>;
beforeEach(async () => {
  dns = await startNameServer({
    'both.example.org': ['93.184.215.14', '2606:2800:220:1::1'],
    'old.example.org': ['93.184.215.14'],
    'none.example.org': [],
    'inside.example.org': ['10.0.0.7', 'fd12::1'],
    'mixed.example.org': ['10.0.0.7', '93.184.215.14'],
  });
});
afterEach(() => dns.close());

test('a name has the addresses of both kinds; one without any is an error', async () => {
  const resolve = createResolveName({ servers: [dns.address] });
  expect(await resolve('both.example.org', never)).toEqual(['93.184.215.14', '2606:2800:220:1::1']);
  expect(await resolve('old.example.org', never)).toEqual(['93.184.215.14']);
  await expect(resolve('none.example.org', never)).rejects.toThrow('The name has no address.');
});

test('names of /etc/hosts are asked of nobody', async () => {
  const file = join(tmpdir(), `fieldbell-hosts-${process.pid}`);
  await writeFile(
    file,
    '# 1.1.1.1 none.example.org\n127.0.0.1\tlocalhost me # myself\n93.184.215.9  Hooks.Example.org\n',
  );
  const resolve = createResolveName({ servers: [dns.address], hostsFile: file });
  expect(await resolve('hooks.example.org', never)).toEqual(['93.184.215.9']);
  expect(await resolve('me', never)).toEqual(['127.0.0.1']);
  expect(dns.asked).toEqual([]);
  await expect(resolve('none.example.org', never)).rejects.toThrow();
});

test('a look-up that nobody answers ends with the time of the call, and asks no more', async () => {
  const resolve = createResolveName({ servers: [dns.address], timeout: 10_000 });
  const gone = new AbortController();
  const looking = resolve('silent.example.org', gone.signal);
  await expect.poll(() => dns.asked.length).toBeGreaterThan(0);
  gone.abort(new Error('the call is over'));
  await expect(looking).rejects.toThrow('the call is over');
  // One of each kind: the second try of either would have come later.
  expect(dns.asked.length).toBeLessThanOrEqual(2);
  await expect(resolve('silent.example.org', gone.signal)).rejects.toThrow('the call is over');
  expect(dns.asked.length).toBeLessThanOrEqual(2);
});

test('a call whose name nobody answers for cancels its look-up', async () => {
  let deadlineOf: AbortSignal | undefined;
  const call = createWebhookCalls({
    local: false,
    resolve: (_, deadline) => {
      deadlineOf = deadline;
      return new Promise(() => {});
    },
    timeoutMs: 20,
  });
  expect(await call(request('https://silent.example.org/'))).toEqual({ status: null, error: 'No answer.' });
  expect(deadlineOf?.aborted).toBe(true);
});

test('names that nobody answers for hold up no look-up of a push', async () => {
  const resolve = createResolveName({ servers: [dns.address], timeout: 600_000 });
  const gone = new AbortController();
  let over = 0;
  const looking = Array.from({ length: 150 }, (_, n) =>
    resolve(`silent${n}.example.org`, gone.signal).catch(() => {
      over += 1;
    }),
  );
  // A system may drop some of so many packets.
  await expect.poll(() => new Set(dns.asked).size).toBeGreaterThan(50);
  // As `fetch` and undici look up names, for pushes and the provider's keys.
  for (let n = 0; n < 10; n++) await lookup('localhost');
  expect(over).toBe(0);
  gone.abort(new Error('the calls are over'));
  await Promise.all(looking);
  expect(over).toBe(150);
});

test('a webhook whose name leads inside only is refused when it is set', async () => {
  const faultOf = createFaultOf(true, createResolveName({ servers: [dns.address] }), 200);
  expect(await faultOf('https://inside.example.org/')).toBe(inside);
  expect(await faultOf('https://10.0.0.1/')).toBe(inside);
  // Its calls tell.
  for (const name of ['both', 'mixed', 'none', 'silent'])
    expect(await faultOf(`https://${name}.example.org/`), name).toBe(null);
  expect(await faultOf('http://localhost:8788/')).toBe(null);
  expect(dns.asked).not.toContain('localhost');
});
