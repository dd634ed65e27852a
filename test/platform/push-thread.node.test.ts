import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { pushByThread } from '../../src/platform/server/push-thread.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';

afterEach(() => vi.restoreAllMocks());

const relay = {
  region: 'eu-central-1',
  accessKeyId: 'AKIALOCAL',
  secretAccessKey: 'local-secret-key',
  sessionToken: undefined,
  platformApplications: { android: 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android' },
  eventTopics: [],
};

const messageTo = (endpoint: string, title: string) => ({
  endpoint,
  title,
  body: 'How did you sleep?',
  data: { survey: 'b'.repeat(32), investigation: 'c'.repeat(32), notification: 'd'.repeat(32) },
  collapseId: 'd'.repeat(32),
  ttlSeconds: 600,
});

test('each of many pushes under way gets its own outcome', async () => {
  const sns = await startSns({ port: 0, ...relay });
  const push = pushByThread({ relay: { ...relay, endpoint: sns.url } });
  const [ada, ben] = await Promise.all(
    ['fcm-token-of-ada', 'fcm-token-of-ben'].map((token) => push.register({ platform: 'android', token })),
  );
  if (ada?.state !== 'registered' || ben?.state !== 'registered') throw new Error('not registered');
  await push.remove(ben.endpoint);
  const titles = Array.from({ length: 30 }, (_, n) => `Diary ${n}`);
  const outcomes = await Promise.all(
    titles.map((title, n) => push.send(messageTo(n % 3 === 0 ? ben.endpoint : ada.endpoint, title))),
  );

  expect(outcomes.map(({ state }) => state)).toEqual(titles.map((_, n) => (n % 3 === 0 ? 'gone' : 'sent')));
  const arrived = new Map(sns.inbox.list().map(({ messageId, title }) => [messageId, title]));
  for (const [n, outcome] of outcomes.entries())
    if (outcome.state === 'sent') expect(arrived.get(outcome.messageId)).toBe(titles[n]);
  await sns.close();
});

/** Counts requests where both threads see it, and takes each push. */
const relayInThread = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => request.resume().on('end', () => {
    Atomics.add(workerData, 0, 1);
    Atomics.notify(workerData, 0);
    response.end('<PublishResponse><MessageId>message-1</MessageId></PublishResponse>');
  }));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

test('a push goes out while the thread that asked for it is busy', async () => {
  const requests = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(relayInThread, { eval: true, workerData: requests });
  const [port] = await once(server, 'message');
  const push = pushByThread({ relay: { ...relay, endpoint: `http://127.0.0.1:${port}/` } });

  const outcome = push.send(messageTo('arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/a/b', 'Diary'));
  await nextTurn();
  expect(Atomics.wait(requests, 0, 0, 600_000)).not.toBe('timed-out');
  expect(await outcome).toEqual({ state: 'sent', messageId: 'message-1' });
  await server.terminate();
});

test('pushes of one turn go to the thread in one message, and their outcomes come back in one', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  const emitted = vi.spyOn(Worker.prototype, 'emit');
  const push = pushByThread({});
  const sendTo = (people: string[]) => Promise.all(people.map((one) => push.send(messageTo(one, 'Diary'))));
  const waits = { state: 'misconfigured', error: 'NotConfigured' };

  expect(await sendTo(['ada', 'ben', 'cleo'])).toEqual([waits, waits, waits]);
  expect(await sendTo(['dora'])).toEqual([waits]);
  expect(posted).toHaveBeenCalledTimes(2);
  expect(emitted.mock.calls.filter(([event]) => event === 'message')).toHaveLength(2);
});

test.each(['node', 'deno'])('on %s the end of the thread is a fault of the process', async (runtime) => {
  const bin = join(import.meta.dirname, '../../node_modules/.bin', runtime);
  const main = join(import.meta.dirname, 'support/ended-thread.ts');
  const run = promisify(execFile)(bin, [...(runtime === 'deno' ? ['run', '-A'] : []), main]);
  await expect(run).rejects.toThrow('the thread of pushes has ended');
});
