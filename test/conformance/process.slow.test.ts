import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { sleep } from '../support/eventually.ts';
import { signToken } from '../support/people.ts';
import { run } from './support/processes.ts';
import { denoPermissions, open, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { newWorld } from './support/worlds.ts';

/** How the process of a machine of one's own starts, refuses to start, and stops. */
const programs = [
  ['node', ['src/node.ts']],
  ['deno', ['run', ...denoPermissions, 'src/deno.ts']],
] as const;

const begin = (runtime: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  run(join('node_modules/.bin', runtime), [...args], { cwd: '.', env: { NO_COLOR: '1', ...env } });

test.concurrent.each(programs)('%s names each setting at fault, and ends with 1', async (runtime, args) => {
  const process = begin(runtime, args, { PORT: 'eighty', AUTH_ISSUER: 'https://login.example.org/' });
  expect(await process.ended).toBe(1);
  expect(process.lines[0]).toBe('Fieldbell cannot start:');
  const named = process.lines.slice(1).map((line) => line.split(' ')[0]);
  expect(named).toEqual(expect.arrayContaining(['AUTH_AUDIENCE', 'AWS_REGION', 'PORT', 'FIELDBELL_DB']));
});

test.concurrent.each(programs)(
  '%s tells in one line that the port, or the file, is taken',
  async (runtime, args) => {
    const service = await open(runtime);
    const env = settings(service.sns.url);
    const port = new URL(service.url).port;
    const samePort = begin(runtime, args, {
      ...env,
      PORT: port,
      FIELDBELL_DB: join(service.folder, 'other.db'),
    });
    const sameFile = begin(runtime, args, {
      ...env,
      PORT: '0',
      FIELDBELL_DB: join(service.folder, 'fieldbell.db'),
    });
    expect(await Promise.all([samePort.ended, sameFile.ended])).toEqual([1, 1]);
    expect(samePort.lines).toEqual([
      'Fieldbell cannot start:',
      expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`),
    ]);
    expect(sameFile.lines).toEqual([
      'Fieldbell cannot start:',
      expect.stringContaining('Another process serves'),
    ]);
    await service.dispose();
  },
);

test.concurrent.each(programs)(
  '%s stops at SIGINT, waits for a request under way, and is forced by a second signal',
  async (runtime) => {
    const service = await open(runtime);
    expect(await service.end('SIGINT')).toBe(0);
    const events = service.process.lines.map((line) => JSON.parse(line).event);
    // The first start catches up on the hourly work, before or after it is asked to stop.
    expect(events.filter((event) => !['reconcile', 'sweep'].includes(event))).toEqual([
      'start',
      'stopping',
      'stop',
    ]);

    await service.start();
    const answered = await slowRequest(service);
    const stopped = service.end('SIGTERM');
    await service.process.line(/"event":"stopping"/);
    expect(await answered.complete()).toContain(' 403 ');
    expect(await stopped).toBe(0);

    await service.start();
    const abandoned = await slowRequest(service);
    const forced = service.end('SIGTERM');
    await service.process.line(/"event":"stopping"/);
    // A terminal and npm may both pass on the same Ctrl-C: a second signal counts after half a second.
    await sleep(600);
    service.end('SIGTERM');
    expect(await forced).toBe(1);
    expect(service.process.lines.at(-1)).toContain('"forced":true');
    abandoned.socket.destroy();
    await service.dispose();
  },
);

test('node keeps an idle connection for longer than the proxies that may stand before it', async () => {
  const service = await open('node');
  const dispatcher = new Agent();
  const { headers, body } = await request(`${service.url}/health`, { dispatcher });
  await body.dump();
  await dispatcher.close();
  expect(headers['keep-alive']).toBe('timeout=130');
  expect(await service.end('SIGTERM')).toBe(0);
  await service.dispose();
});

/** Sends a request without its body, and waits until the service has begun to read it. */
async function slowRequest(service: Service) {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const bearer = await signToken(newWorld(service).auth, 'ada');
  const head = ['PATCH /user/me HTTP/1.1', 'Host: x', `Authorization: Bearer ${bearer}`];
  const body = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue', '', ''];
  socket.write([...head, ...body].join('\r\n'));
  expect(String(await once(socket, 'data'))).toContain(' 100 ');
  return {
    socket,
    async complete() {
      socket.write('{}');
      const answer = String(await once(socket, 'data'));
      socket.end();
      return answer;
    },
  };
}
