import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { webPushPost } from '../../src/platform/server/web-push-post.ts';
import { createWebPush } from '../../src/push/web-push/push.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';

const data = { survey: 'b'.repeat(32), investigation: 'c'.repeat(32), notification: 'd'.repeat(32) };

/** Reminds Ada's browser, by a push service of the test's own. */
async function remind(listener: RequestListener, timeoutMs = 60_000) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = settingDefaults;
  const push = createWebPush({
    ...{ privateKey, subject, timeoutMs, hosts: [host], local: true },
    post: webPushPost(),
  });
  const keys = { p256dh: await push.webPushKey?.(), auth: 'A'.repeat(22) };
  const endpoint = JSON.stringify({ endpoint: `http://${host}/push/ada?key=1`, keys });
  const text = { title: 'Sleep diary', body: 'How was your night?' };
  return push.send({ ...text, endpoint, data, collapseId: data.notification, ttlSeconds: 3600 });
}

test('a push is posted with its headers and its sealed text, and named by the location of the answer', async () => {
  const asked: object[] = [];
  const outcome = await remind(async (request, response) => {
    const { method, url, headers } = request;
    let bytes = 0;
    for await (const part of request) bytes += part.length;
    asked.push({ method, url, topic: headers.topic, ttl: headers.ttl, isSealed: bytes > 200 });
    response.writeHead(201, { location: 'https://push.example/m/seven' }).end();
  });
  expect(outcome).toEqual({ state: 'sent', messageId: 'seven' });
  expect(asked).toEqual([
    { method: 'POST', url: '/push/ada?key=1', topic: data.notification, ttl: '3600', isSealed: true },
  ]);
});

test('a delay that the push service asks for is heard, and a redirect is an answer', async () => {
  const busy = await remind((request, response) => {
    request.resume();
    response.writeHead(429, { 'retry-after': '120' }).end();
  });
  expect(busy).toEqual({ state: 'retry', error: 'HTTP 429', retryAfterMs: 120_000 });
  const moved = await remind((request, response) => {
    request.resume();
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(moved).toEqual({ state: 'failed', error: 'HTTP 307' });
});

test('the status is the answer, whatever becomes of the rest: it breaks off, or does not end in time', async () => {
  const broken = await remind((request, response) => {
    request.resume();
    response.writeHead(201, { location: '/m/one' }).write('be');
    setImmediate(() => response.destroy());
  });
  expect(broken).toEqual({ state: 'sent', messageId: 'one' });
  const endless = await remind((request, response) => {
    request.resume();
    response.writeHead(201, { location: '/m/two' }).write('be');
  }, 1_000);
  expect(endless).toEqual({ state: 'sent', messageId: 'two' });
});
