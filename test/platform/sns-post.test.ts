import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { serverPost } from '../../src/platform/server/sns-post.ts';

const connections = 128;

test('a push whose time is over while it waits for a connection fails at once, and never goes out', async () => {
  const arrived: string[] = [];
  const answers: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    for await (const chunk of request) arrived.push(String(chunk));
    answers.push(response);
    server.emit('held');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = {
    region: 'eu-central-1',
    accessKeyId: 'AKIALOCAL',
    secretAccessKey: 'local-secret-key',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  };
  const send = serverPost()(connection);
  const post = (body: string, signal = new AbortController().signal) => send(body, signal);

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
  server.closeAllConnections();
  server.close();
});
