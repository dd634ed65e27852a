import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { freePorts } from '../support/ports.ts';
import { descendantsOf, type Run, startFieldbell } from './start-driver.ts';

let folder: string;
let port: number;
let sns: string;
let run: Run;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-restart-'));
  const [first = 0, second = 0] = await freePorts(2);
  port = first;
  sns = `http://127.0.0.1:${second}`;
  run = startFieldbell({ PORT: `${port}`, SNS_PORT: `${second}`, FIELDBELL_STATE: folder });
  await run.said('curl -s -X PATCH');
  [token = ''] = /^eyJ\S+$/m.exec(run.output().stdout) ?? [];
});

afterAll(async () => {
  run.child.kill('SIGTERM');
  await run.ended();
  await rm(folder, { recursive: true, force: true });
});

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

const restarts = () => run.output().stderr.match(/^The local runtime died/gm)?.length ?? 0;
const runtimes = () =>
  descendantsOf(run.child.pid ?? 0).filter(({ command }) => /\bworkerd serve\b/.test(command));

/** Waits until the service answers from a runtime that is not `before`. */
const answersAgain = (before: number) =>
  eventuallyPasses(async () => {
    expect(restarts()).toBe(before + 1);
    expect(await call('/user/me')).toMatchObject({ name: 'Ada Lindqvist' });
  });

/** Sends the head of a request and part of its body, and hangs up. */
async function breakOff(head: string, part: string) {
  const socket = connect(port, '127.0.0.1');
  // A runtime that refuses it may reset the connection.
  socket.on('error', () => {});
  socket.write(
    `POST /investigation HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${head}\r\n\r\n${part}`,
  );
  setTimeout(() => socket.destroy(), 500);
  await once(socket, 'close');
}

it('npm start outlives a runtime that is killed: it says so once, and loses nothing', async () => {
  const { identifier } = await call<{ identifier: string }>('/investigation', { name: 'Kept' });
  const victims = runtimes();
  expect(victims.length).toBeGreaterThan(0);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  await answersAgain(0);
  expect(await call(`/investigation/${identifier}`)).toMatchObject({ name: 'Kept' });
  const said = run
    .output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('The local runtime'));
  expect(said).toEqual([
    expect.stringMatching(
      /^The local runtime died, and was started again within [\d.]+ s\. Nothing stored was lost\.$/,
    ),
  ]);

  // The demo's reminder was planned before; it comes, and once.
  const pushes = async () =>
    ((await (await fetch(`${sns}/inbox`)).json()) as { title: string }[]).filter(
      ({ title }) => title === 'Sleep diary',
    );
  await eventuallyPasses(async () => expect(await pushes()).toHaveLength(1));
});

it.each([
  ['broken off', 'content-length: 1000000', '{"name":"'],
  ['too large', 'transfer-encoding: chunked', `200000\r\n${'x'.repeat(0x200000)}\r\n`],
])('an upload that is %s ends no runtime, as it did until that of August', async (what, head, part) => {
  const { identifier } = await call<{ identifier: string }>('/investigation', { name: `Before one ${what}` });
  const before = { restarts: restarts(), runtimes: runtimes().map(({ pid }) => pid) };
  for (let n = 0; n < 3; n++) {
    await breakOff(head, part);
    expect(await call(`/investigation/${identifier}`)).toMatchObject({ name: `Before one ${what}` });
  }
  expect({ restarts: restarts(), runtimes: runtimes().map(({ pid }) => pid) }).toEqual(before);
});
