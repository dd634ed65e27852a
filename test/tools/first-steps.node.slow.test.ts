import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/ports.ts';

/*
 * Somebody who knows wrangler starts it in a fresh clone, and is told in its first lines what it lacks.
 */

const project = resolve(import.meta.dirname, '../..');
const wrangler = join(project, 'node_modules/wrangler/bin/wrangler.js');
const title = '`npm start` brings everything in one terminal.';

let clone: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'fieldbell-clone-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const file of execFileSync('git', list, { cwd: project, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean))
    cpSync(join(project, file), join(clone, file), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
});

afterAll(async () => {
  await Promise.all(started.map(end));
  await rm(clone, { recursive: true, force: true });
});

const environment = (more: Record<string, string>) => ({
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  ...more,
});

function start(args: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { cwd: clone, detached: true, env: environment(more) });
  started.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said.text += chunk;
    });
  const says = (wanted: string) =>
    eventually(
      () => `'${wanted}' in:\n${said.text}`,
      () => said.text.includes(wanted) && said.text,
    );
  return { child, says };
}

/** With all that it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  const ended = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** The commands that the build of a wrangler command proposes. */
function proposed(command: string, more: Record<string, string> = {}): string[] {
  const env = environment({ WRANGLER_COMMAND: command, ...more });
  const output = execFileSync(process.execPath, ['build/first-steps.mjs'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  });
  return [...output.matchAll(/^ {2}(.+?) +#/gm)].map(([, step = '']) => step);
}

test('wrangler dev says first what a fresh clone lacks, until it has it', async () => {
  const [port, snsPort] = await freePorts(2);
  const dev = start([wrangler, 'dev', '--port', `${port}`, '--inspector-port', '0']);
  const said = await dev.says('Your Worker has access to');
  await end(dev.child);
  const lines = said.slice(0, said.indexOf('Your Worker has access to')).split('\n');
  const first = lines.findIndex((line) => line.includes(title));
  expect(lines.slice(0, first).filter((line) => /warn|error/i.test(line) && !line.startsWith('npm'))).toEqual(
    [],
  );
  const [settings, tables, sns, cron] = [
    'cp .dev.vars.example .dev.vars',
    'npm run migrate',
    'npm run sns',
    'npm run cron',
  ];
  // Another local SNS may be running on this machine, at the port of the example.
  for (const step of [settings, tables, cron])
    expect(lines.slice(first, first + 8).join('\n')).toContain(step);

  const example = readFileSync(join(clone, '.dev.vars.example'), 'utf8');
  writeFileSync(join(clone, '.dev.vars'), example.replace('127.0.0.1:8788', `127.0.0.1:${snsPort}`));
  expect(proposed('dev')).toEqual([tables, sns, cron]);

  execFileSync(process.execPath, [wrangler, 'd1', 'migrations', 'apply', 'fieldbell', '--local'], {
    cwd: clone,
    env: environment({ CI: 'true' }),
    stdio: 'pipe',
  });
  expect(proposed('dev')).toEqual([sns, cron]);
  // `npm start` and deployments need none of it.
  expect(proposed('dev', { FIELDBELL_START: 'true' })).toEqual([]);
  expect(proposed('deploy')).toEqual([]);

  const running = start(['tools/fakes/sns/main.ts'], { SNS_PORT: `${snsPort}` });
  await running.says('The local SNS listens at');
  expect(proposed('dev')).toEqual([]);
});
