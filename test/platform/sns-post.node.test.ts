import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serverPost } from '../../src/platform/server/sns-post.ts';
import { maxAnswerBytes } from '../../src/push/sns/post.ts';

const connections = 128;

/** Posts to a server of the test's own. */
async function posterTo(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const send = serverPost()({
    region: 'eu-central-1',
    accessKeyId: 'AKIALOCAL',
    secretAccessKey: 'local-secret-key',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  });
  const post = (body: string, signal = new AbortController().signal) => send(body, signal);
  return { server, post };
}

test('a push whose time is over while it waits for a connection fails at once, and never goes out', async () => {
  const arrived: string[] = [];
  const answers: ServerResponse[] = [];
  const { server, post } = await posterTo(async (request, response) => {
    for await (const chunk of request) arrived.push(String(chunk));
    answers.push(response);
    server.emit('held');
  });

  const held = Array.from({ length: connections }, (_, n) => post(`push ${n}`));
  while (answers.length < connections) await once(server, 'held');
  const late = new AbortController();
  const waiting = post('too late', late.signal);
  late.abort(new Error('the deadline'));
  await expect(waiting).rejects.toThrow('the deadline');

  const aborted = new AbortController();
  aborted.abort(new Error('before it began'));
  await expect(post('never', aborted.signal)).rejects.toThrow('before it began');

  const next = post('in time');
  for (const answer of answers.splice(0)) answer.end('taken');
  expect(await Promise.all(held)).toEqual(Array(connections).fill({ status: 200, text: 'taken' }));
  while (answers.length === 0) await once(server, 'held');
  answers[0]?.end('taken too');
  expect(await next).toEqual({ status: 200, text: 'taken too' });
  expect(arrived).toHaveLength(connections + 1);
  expect(arrived.at(-1)).toBe('in time');
});

test('a push whose time is over while it waits for its answer fails at once, and ends its connection', async () => {
  const { server, post } = await posterTo((request) => request.resume().on('end', () => server.emit('held')));
  const late = new AbortController();
  const waiting = post('too late', late.signal);
  const [[socket]] = await Promise.all([once(server, 'connection'), once(server, 'held')]);
  late.abort(new Error('the deadline'));
  await expect(waiting).rejects.toThrow('the deadline');
  if (!socket.closed) await once(socket, 'close');
});

test('of a long answer the beginning counts, and its connection ends; a redirect is an answer', async () => {
  const { server, post } = await posterTo((request, response) => {
    request.resume();
    if (server.listenerCount('moved')) response.writeHead(307, { location: '/elsewhere' }).end('moved');
    else response.write('x'.repeat(maxAnswerBytes + 1));
  });
  const connected = once(server, 'connection');
  expect(await post('long')).toEqual({ status: 200, text: 'x'.repeat(maxAnswerBytes) });
  const [socket] = await connected;
  if (!socket.closed) await once(socket, 'close');
  server.on('moved', () => {});
  expect(await post('moved')).toEqual({ status: 307, text: 'moved' });
});
