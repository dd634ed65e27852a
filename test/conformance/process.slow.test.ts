import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Agent, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signToken } from '../support/people.ts';
import type { Mutant } from '../support/planted-fault.ts';
import { run } from './support/processes.ts';
import { denoPermissions, newFolder, open, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { newWorld } from './support/worlds.ts';

/** How the process of a machine of one's own starts, refuses to start, and stops. */
const programs = [
  ['node', ['src/node.ts', '--local']],
  ['deno', ['run', ...denoPermissions, 'src/deno.ts', '--local']],
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

describe.each(programs)('%s, with the settings of .dev.vars.example', (runtime, [...args]) => {
  const example = { ...parseEnv(readFileSync('.dev.vars.example', 'utf8')), PORT: '0' };
  const deployed = args.filter((arg) => arg !== '--local');
  const named = ({ lines }: { lines: string[] }) => lines.slice(1).map((line) => line.split(' ')[0]);

  test.concurrent('does not start in production, and names each secret that everybody knows', async () => {
    const folder = await newFolder(runtime, 'fieldbell-published-');
    const env = { ...example, FIELDBELL_DB: join(folder, 'fieldbell.db'), NODE_ENV: 'production' };
    const process = begin(runtime, deployed, env);
    expect(await process.ended).toBe(1);
    expect(process.lines[0]).toBe('Fieldbell cannot start:');
    expect(named(process).toSorted()).toEqual([
      'AUDIT_SIGNING_KEY',
      'AUTH_SECRET',
      'AWS_SECRET_ACCESS_KEY',
      'PARTICIPANT_SIGNING_KEY',
      'VAPID_PRIVATE_KEY',
    ]);
    await rm(folder, { recursive: true });
  });

  test.concurrent('starts in local mode on no other address than its own', async () => {
    const folder = await newFolder(runtime, 'fieldbell-published-');
    const env = { ...example, FIELDBELL_DB: join(folder, 'fieldbell.db'), HOST: '0.0.0.0' };
    const process = begin(runtime, args, env);
    expect(await process.ended).toBe(1);
    expect(named(process)).toContain('HOST');
    await rm(folder, { recursive: true });
  });

  test.concurrent('says loudly that a secret of one’s own, on a loopback address, is all that guards it', async () => {
    const folder = await newFolder(runtime, 'fieldbell-published-');
    const own = {
      ...settings('http://127.0.0.1:9'),
      VAPID_PRIVATE_KEY: '',
      VAPID_SUBJECT: '',
      METRICS_TOKEN: '',
    };
    const env = {
      ...own,
      AUTH_SECRET: randomBytes(32).toString('hex'),
      AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex'),
      FIELDBELL_DB: join(folder, 'fieldbell.db'),
      PORT: '0',
    };
    const process = begin(runtime, deployed, env);
    await process.line(/"event":"auth.shared-secret".*AUTH_JWKS_URL/);
    await process.end('SIGTERM');
    const outside = begin(runtime, deployed, { ...env, HOST: '0.0.0.0' });
    expect(await outside.ended).toBe(1);
    expect(named(outside)).toEqual(['AUTH_SECRET']);
    await rm(folder, { recursive: true });
  });
});

test.concurrent('workerd answers nothing without the sign of local mode, and its log names each', async () => {
  const service = await open('workerd', { FIELDBELL_LOCAL: '' });
  expect((await fetch(`${service.url}/health`)).status).toBe(500);
  for (const name of ['AUTH_SECRET', 'METRICS_TOKEN', 'VAPID_PRIVATE_KEY', 'AWS_SECRET_ACCESS_KEY'])
    await service.process.line(new RegExp(`^${name} is published with the source`));
  await service.dispose();
});

/**
 * A folder with a `systemd-notify` that keeps what it is told, and the environment of a service under it. Signs of life
 * are still under way when the service and all that it started are told to stop.
 */
async function newNotify(runtime: 'node' | 'deno') {
  const folder = await newFolder(runtime, 'fieldbell-notify-');
  const kept = join(folder, 'told');
  const script = `#!/bin/sh\necho "$@" >> ${kept}\n[ "$1" = READY=1 ] || exec sleep 600\n`;
  await writeFile(join(folder, 'systemd-notify'), script, { mode: 0o755 });
  const env = {
    ...settings('http://127.0.0.1:9'),
    PATH: `${folder}:${globalThis.process.env.PATH}`,
    NOTIFY_SOCKET: join(folder, 'socket'),
    WATCHDOG_USEC: '100000',
    FIELDBELL_DB: join(folder, 'fieldbell.db'),
    PORT: '0',
  };
  const told = () => readFile(kept, 'utf8').then((text) => text.trim().split('\n'));
  return { folder, env, told };
}

describe.each(programs)('%s under systemd', (runtime, args) => {
  const permitted = runtime === 'deno' ? ['run', '--allow-run=systemd-notify', ...args.slice(1)] : args;

  test.concurrent('it says that it is ready, and then again and again that it is alive', async () => {
    const { folder, env, told } = await newNotify(runtime);
    const process = begin(runtime, permitted, env);
    await eventually('three signs of life', async () => {
      const [first, ...others] = await told().catch(() => []);
      return first === 'READY=1' && others.filter((one) => one === 'WATCHDOG=1').length >= 3;
    });
    expect(new Set(await told())).toEqual(new Set(['READY=1', 'WATCHDOG=1']));
    expect(await process.end('SIGTERM')).toBe(0);
    expect(process.lines.join('\n')).not.toContain('systemd.failed');
    await rm(folder, { recursive: true });
  });
});

test.concurrent('node is silent when its minute has stopped, and /health says so', async () => {
  const { folder, env, told } = await newNotify('node');
  const fault: Mutant = {
    fault: 'the work of the minute has not ended for ten minutes',
    file: 'src/platform/server/every-minute.ts',
    within: 'everyMinute',
    find: 'monotonic() - endedAt < patienceMs',
    replace: "(console.log('asked'), false)",
  };
  const process = begin('node', ['--import', './test/crash/planted-fault.ts', 'src/node.ts', '--local'], {
    ...env,
    FAULT: JSON.stringify(fault),
  });
  const [, url] = await process.line(/"event":"start".*"url":"([^"]+)"/);
  await eventually('asked often', async () => process.lines.filter((line) => line === 'asked').length > 4);
  expect(await told()).toEqual(['READY=1']);
  const answer = await fetch(`${url}/health`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: 'stopped', zones: expect.any(String) },
  ]);
  expect(await process.end('SIGTERM')).toBe(0);
  await rm(folder, { recursive: true });
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
    let hasEnded = false;
    void forced.then(() => {
      hasEnded = true;
    });
    await eventually('a later signal forces it', () => hasEnded || void service.end('SIGTERM'));
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
