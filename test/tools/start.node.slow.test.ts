import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedCall } from '../../tools/fakes/sns/receiver.ts';
import { eventuallyPasses } from '../support/eventually.ts';
import { freePorts } from '../support/ports.ts';
import { descendantsOf, listProcesses, type Run, startFieldbell } from './start-driver.ts';

// All that could get lost between our environment and the Worker's.
const secret = `it costs $5 and \${HOME} # "quoted" \\n \`ticks\`, and is more than 32 bytes`;

let folder: string;
let env: Record<string, string>;
let api: string;
let sns: string;
let run: Run;
let began: number;
let ready: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-start-'));
  const [port, snsPort] = await freePorts(2);
  env = { PORT: `${port}`, SNS_PORT: `${snsPort}`, FIELDBELL_STATE: folder, AUTH_SECRET: secret };
  api = `http://127.0.0.1:${port}`;
  sns = `http://127.0.0.1:${snsPort}`;
  began = Date.now();
  run = startFieldbell(env);
  await run.said('curl -s -X PATCH');
  ready = Date.now();
});

afterAll(async () => {
  for (const { pid } of run.child.pid ? descendantsOf(run.child.pid) : []) process.kill(pid, 'SIGKILL');
  if (run.child.exitCode === null) run.child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command in bash, as somebody who pastes it does. */
const paste = (line: string) => spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout;

function tokenOf(subject: string): string {
  const args = ['tools/tokens/main.ts', subject];
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  }).stdout.trim();
}

async function get<T>(url: string, token: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** Opens a connection and drops it amid the head, amid the body, or before the answer. */
async function hangUp(at: number) {
  const { port, hostname } = new URL(api);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  const head = `POST /user HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 13\r\n`;
  const part = [head, `${head}\r\n{"name":`, `${head}\r\n{"name":"Eve"}`][at] ?? head;
  await new Promise((written) => socket.write(part, written));
  socket.destroy();
}

describe('npm start', () => {
  it('prints where everything is, and nothing that went wrong', () => {
    const { stdout, stderr } = run.output();
    for (const address of [api, `${api}/docs`, sns, folder]) expect(stdout).toContain(address);
    expect(stderr).toBe('');
  });

  it('prints a token that the service takes', async () => {
    const [token = ''] = /^eyJ\S+$/m.exec(run.output().stdout) ?? [];
    expect(await get(`${api}/user/me`, token)).toMatchObject({ name: 'Ada Lindqvist' });
    expect(await get(`${api}/user/me`, tokenOf('demo-editor'))).toMatchObject({ name: 'Bruno Reyes' });
  });

  it('prints a link to the console for each of the people, and serves it', async () => {
    const links = [...run.output().stdout.matchAll(/^(.+): (\S+\/console)#token=(\S+)$/gm)];
    expect(links.map(([, name]) => name)).toEqual([
      'Ada Lindqvist',
      'Bruno Reyes',
      'Mona Weber',
      'Chidi Okafor',
    ]);
    for (const [, name, url = '', token = ''] of links) {
      expect(await get(`${api}/user/me`, token)).toMatchObject({ name });
      expect(await (await fetch(url)).text()).toContain('/console/assets/main-');
    }
  });

  it('prints curl lines that do what they say when they are pasted', async () => {
    const lines = run.output().stdout.match(/^curl .+$/gm) ?? [];
    const answers = lines.map(paste);
    expect(answers.map((answer) => answer.trimEnd().split('\n').at(-1))).toEqual([
      '200',
      '204',
      '423',
      '204',
    ]);
    const [list = '', , refusal] = answers;
    expect(JSON.parse(list.split('\n')[0] ?? '').responses).toHaveLength(2);
    expect(refusal).toContain('"code":"item.locked"');
    // The last one adds a webhook, whose calls the receiver shows.
    await eventuallyPasses(async () => {
      const calls = await get<ReceivedCall[]>(`${sns}/webhooks/calls`, '');
      expect(calls[0]).toMatchObject({
        status: 204,
        signature: 'holds',
        body: { type: 'study.changed' },
      });
    });
  });

  it('has a log whose export, head and key are checked without it, and a cut end shows', async () => {
    const [, study] = /\/investigation\/(\w+)\/responses/.exec(run.output().stdout) ?? [];
    const authorization = `Bearer ${tokenOf('demo-owner')}`;
    const read = async (path: string, accept = 'application/json') =>
      (await fetch(api + path, { headers: { authorization, accept } })).text();
    const at = (name: string) => join(folder, name);
    const keep = (name: string, text: string) => writeFile(at(name), text);
    const log = await read(`/investigation/${study}/activity`, 'application/x-ndjson');
    await keep('audit.ndjson', log);
    await keep('cut.ndjson', log.split('\n').slice(0, -2).join('\n'));
    await keep('head.json', await read(`/investigation/${study}/activity/head`));
    await keep('jwks.json', await read('/.well-known/jwks.json'));
    const verify = (name: string) => {
      const args = ['tools/verify/main.ts', at(name), '--head', at('head.json'), '--jwks', at('jwks.json')];
      return spawnSync(process.execPath, args, { encoding: 'utf8' });
    };
    expect(verify('audit.ndjson')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/all as they were written, and the head is signed/),
    });
    expect(verify('cut.ndjson')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^position \d+: the log was cut off here/m),
    });
  });

  it('has the phone of the participant ring within two minutes', async () => {
    const phones = await get<{ token: string; enabled: boolean }[]>(`${sns}/phones`, '');
    expect(phones).toMatchObject([{ token: expect.stringMatching(/^demo-phone-/), enabled: true }]);
    const owners = await get<Record<string, unknown>>(`${sns}/owners`, '');
    expect(Object.values(owners)).toEqual([{ name: 'Chidi Okafor', timeZone: 'Europe/Paris' }]);

    const token = tokenOf('demo-participant');
    const { investigations } = await get<{ investigations: { identifier: string }[] }>(
      `${api}/investigation`,
      token,
    );
    const path = `${api}/investigation/${investigations[0]?.identifier}/surveys`;
    const { surveys } = await get<{ surveys: { identifier: string; reminders: { recurrence: string } }[] }>(
      path,
      token,
    );
    const [, minute, hour] = /^(\d+) (\d+) \* \* \*$/.exec(surveys[0]?.reminders.recurrence ?? '') ?? [];
    // The time that clocks in Paris show meanwhile, near midnight and at their changes too. The start takes as long as
    // the machine needs.
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', timeStyle: 'short' });
    const shown: string[] = [];
    for (let at = began; at < ready + 3 * 60_000; at += 60_000) shown.push(clock.format(at));
    expect(shown).toContain([hour, minute].map((part) => part?.padStart(2, '0')).join(':'));
  });

  it('has a survey of each kind of reminders, with translations, and somebody with quiet hours', async () => {
    const token = tokenOf('demo-editor');
    expect(await get(`${api}/user/me`, token)).toMatchObject({ quietHours: { from: '22:00', to: '07:00' } });
    const { investigations } = await get<{ investigations: { identifier: string }[] }>(
      `${api}/investigation`,
      token,
    );
    const path = `${api}/investigation/${investigations[0]?.identifier}/surveys`;
    const { surveys } = await get<{ surveys: { reminders: Record<string, unknown> }[] }>(path, token);
    const kinds = surveys.map(({ reminders }) =>
      [reminders.type, reminders.windows && 'windows', reminders.followUps && 'nudges']
        .filter(Boolean)
        .join(' '),
    );
    expect(kinds).toEqual(['rolling', 'fixed', 'rolling windows', 'rolling nudges', 'rolling']);
    expect(surveys.filter(({ reminders }) => reminders.translations).length).toBe(4);
  });

  it('shows the secrets to nobody else on the machine', () => {
    expect(listProcesses().filter(({ command }) => command.includes('it costs'))).toEqual([]);
    for (const file of ['settings.env', 'owner.header'])
      expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  });

  it.each([
    ['PORT', 'SNS_PORT'],
    ['SNS_PORT', 'PORT'],
  ])('refuses a port in use in one line that names %s', async (name, other) => {
    const [free] = await freePorts(1);
    const second = startFieldbell({ ...env, [other]: `${free}` });
    expect(await second.ended()).toBe(1);
    expect(second.output()).toEqual({
      stdout: '',
      stderr: `Port ${env[name]} is in use: set ${name} to another one\n`,
    });
  });

  it('prints nothing about hundreds of clients that hang up, and no stack of the local runtime', async () => {
    const { length } = run.output().stdout;
    const uploads = Array.from({ length: 300 }, (_, n) => hangUp(n % 3));
    await Promise.all(uploads);
    await get(`${api}/user/me`, tokenOf('demo-owner'));
    const { stdout, stderr } = run.output();
    expect([stdout.slice(length), stderr]).toEqual(['', '']);
  });

  it('refuses a state folder that another run has', async () => {
    const [port, snsPort] = await freePorts(2);
    const second = startFieldbell({ ...env, PORT: `${port}`, SNS_PORT: `${snsPort}` });
    expect(await second.ended()).toBe(1);
    const told = `The state folder ${folder} is in use by process ${run.child.pid}: set FIELDBELL_STATE to another one`;
    expect(second.output()).toEqual({ stdout: '', stderr: `${told}\n` });
  });

  it('leaves no process, no open port and no secret behind when it is told to stop', () => stopAndLook());

  it('starts again on the same state', async () => {
    const [, study = 'none'] = /\/investigation\/(\w+)\/responses/.exec(run.output().stdout) ?? [];
    run = startFieldbell(env);
    await run.said('curl -s -X PATCH');
    expect(run.output().stderr).toBe('');
    const [list = ''] = run.output().stdout.match(/^curl .+$/m) ?? [];
    expect(list).toContain(study);
    // The first one is still locked.
    const [second, ...more] = JSON.parse(paste(list).split('\n')[0] ?? '').responses;
    expect(second).toMatchObject({ name: 'Chidi Okafor', status: 'active' });
    expect(more).toEqual([]);
    await stopAndLook();
  });
});

async function stopAndLook() {
  const family = descendantsOf(run.child.pid ?? 0).map(({ pid }) => pid);
  expect(family.length).toBeGreaterThan(1);
  run.child.kill('SIGTERM');
  expect(await run.ended()).toBe(0);
  // The process that was killed last may take a moment to go.
  await eventuallyPasses(() => expect(listProcesses().filter(({ pid }) => family.includes(pid))).toEqual([]));
  await expect(fetch(`${api}/health`)).rejects.toThrow();
  await expect(fetch(`${sns}/health`)).rejects.toThrow();
  for (const file of ['settings.env', 'owner.header', 'running.pid'])
    expect(existsSync(join(folder, file))).toBe(false);
}
