import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../conformance/support/processes.ts';
import { open } from '../conformance/support/runtimes.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { signToken } from '../support/people.ts';

const project = join(import.meta.dirname, '../..');
const execute = promisify(execFile);
const document = readFileSync(join(project, 'docs/operators/deploying.md'), 'utf8');
const blocks = [...document.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);

describe('docs/operators/deploying.md', () => {
  const lines = [...blocks, ...[...document.matchAll(/`(npx wrangler [^`]+)`/g)].map(([, line = '']) => line)]
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => line.startsWith('npx wrangler '));

  /** The words of a command before its arguments, and its options. */
  const commandOf = (line: string) => {
    const words = line.replace('npx wrangler ', '').split(' ');
    const depth = /^(?:d1 (?:time-travel|migrations)|secret|d1) /.exec(line.replace('npx wrangler ', ''));
    const length = depth ? depth[0].trim().split(' ').length + 1 : 1;
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''));
    return { command: words.slice(0, length), options };
  };

  test('has commands and options that Wrangler knows', async () => {
    const asked = Map.groupBy(lines.map(commandOf), ({ command }) => command.join(' '));
    expect(asked.size).toBeGreaterThan(9);
    for (const [command, uses] of asked) {
      const args = [...command.split(' '), '--help'];
      const { stdout } = await execute(join(project, 'node_modules/.bin/wrangler'), args, { cwd: tmpdir() });
      expect(stdout, command).toMatch(new RegExp(`^wrangler ${command}\\b`, 'm'));
      for (const option of uses.flatMap(({ options }) => options))
        expect(stdout, `${command} ${option}`).toMatch(new RegExp(`${option}\\b`));
    }
  });

  test('gets the first owner a study, and the smoke test passes, word by word', async () => {
    const service = await open('node');
    onTestFinished(() => service.dispose());
    const { auth } = newWorld(service);
    const [first] = blocks.filter((block) => block.includes('curl -X POST'));
    const script = `set -eu\napi=${service.url}\n${first}`
      .replaceAll('curl ', 'curl --silent --show-error --fail-with-body ')
      .replace('<your token>', await signToken(auth, 'ada-of-the-document'))
      .replace('<token of a test user>', await signToken(auth, 'a-test-user'));
    const { stdout } = await execute('bash', ['-c', script], { cwd: project });
    expect(stdout).toContain('"name":"Ada Lindqvist"');
    expect(stdout).toContain('"name":"Sleep"');
    expect(stdout).toContain('The deployment works.');
  });

  test('makes keys that the service takes', async () => {
    const [secrets = ''] = blocks.filter((block) => block.includes('openssl'));
    const command = (start: string) =>
      secrets
        .split('\n')
        .find((line) => line.startsWith(start))
        ?.replace(/\s+#.*$/, '') ?? '';
    const output = async (line: string) =>
      (await execute('bash', ['-c', line], { cwd: project })).stdout.trim();
    const key = (await output(command('openssl'))).replaceAll('\n', '');
    const service = await open('node', {
      AUDIT_SIGNING_KEY: key,
      PARTICIPANT_SIGNING_KEY: key,
      VAPID_PRIVATE_KEY: (await output(command('npm run -s vapid-key'))).replace(/^[^=]*=|\n[\s\S]*/g, ''),
      VAPID_SUBJECT: 'mailto:study@example.org',
    });
    onTestFinished(() => service.dispose());
    const { keys } = await (await fetch(`${service.url}/.well-known/jwks.json`)).json();
    expect(keys.length).toBeGreaterThan(0);
    const { auth } = newWorld(service);
    const headers = { authorization: `Bearer ${await signToken(auth, 'somebody')}` };
    expect((await fetch(`${service.url}/push/key`, { headers })).status).toBe(200);
  });
});

/** The stages of the Dockerfile with the files that they copy, as far as they copy from the context. */
const stages = readFileSync(join(project, 'Dockerfile'), 'utf8')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) =>
    [...stage.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].map(([, from = '', to = '']) => ({ from, to })),
  );

/** A folder with what a stage copies, and these packages. */
function stageFolder(copies: { from: string; to: string }[], packages: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { from, to } of copies)
    for (const path of from.split(' ').flatMap((pattern) => globSync(pattern, { cwd: project }))) {
      const target = /\/$/.test(to) ? join(folder, to, path.replace(/^.*\//, '')) : join(folder, to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(project, path), target, {
        recursive: true,
        filter: (file) => !/public\/(?:console|p)(?:\/|$)/.test(file),
      });
    }
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(project, 'node_modules', name), link);
  }
  return folder;
}

describe('the image', () => {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const named = (wanted: (locked: { dev?: boolean; devOptional?: boolean }) => boolean) =>
    Object.entries(packages)
      .filter(([path, locked]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && wanted(locked))
      .map(([path]) => path.replace('node_modules/', ''))
      .filter((name) => globSync(`node_modules/${name}`, { cwd: project }).length > 0);

  test('has in its files and packages all that builds the pages, and all that runs the service', async () => {
    const [, building = [], running = []] = stages;
    const pages = stageFolder(
      building,
      named(() => true),
    );
    await execute(process.execPath, ['build/console.mjs'], { cwd: pages });
    await execute(process.execPath, ['build/participant.mjs'], { cwd: pages });

    const folder = stageFolder(
      running,
      named(({ dev, devOptional }) => !dev && !devOptional),
    );
    for (const page of ['console', 'p'])
      cpSync(join(pages, 'public', page), join(folder, 'public', page), { recursive: true });
    const env = {
      ...parseEnv(readFileSync(join(project, '.dev.vars.example'), 'utf8')),
      FIELDBELL_DB: join(folder, 'data.db'),
      NODE_ENV: 'production',
      PORT: '0',
    };
    const service = run(process.execPath, ['src/node.ts', '--local'], { cwd: folder, env });
    const [, url] = await service.line(/"event":"start".*"url":"([^"]+)"/);
    for (const path of ['/health', '/console', '/p/'])
      expect((await fetch(`${url}${path}`)).status, path).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
