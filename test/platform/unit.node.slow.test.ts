import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../conformance/support/processes.ts';

const unit = readFileSync('deploy/fieldbell.service', 'utf8');

/** The oldest Node that `engines` allows, as its package brings it. */
function installLeastNode(folder: string): string {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = `${engines.node.replace('>=', '')}.0`;
  const manifest = { private: true, allowScripts: { node: true }, dependencies: { node: version } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder });
  const node = join(folder, 'node_modules/.bin/node');
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
  return node;
}

test('the systemd unit starts and stops the service on the oldest Node that engines allows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [, command = '', args = ''] = /^ExecStart=(\S+) (.+)$/m.exec(unit) ?? [];
  expect(command).toBe('/usr/bin/node');
  const set = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, line]) => line).join('\n');
  const inFolder = set.replaceAll(/\/var\/(?:lib|cache)\/fieldbell/g, folder);

  const service = run(installLeastNode(folder), [...args.split(' '), '--local'], {
    cwd: '.',
    env: { ...parseEnv(readFileSync('.dev.vars.example', 'utf8')), ...parseEnv(inFolder), PORT: '0' },
  });
  const [, url] = await service.line(/"event":"start".*"url":"([^"]+)"/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const [, signal = ''] = /^KillSignal=(\w+)$/m.exec(unit) ?? [];
  expect(await service.end(signal as NodeJS.Signals)).toBe(0);
  const events = service.lines.map((line) => JSON.parse(line).event);
  // The first start catches up on the hourly work, before the request or after it.
  expect(events.filter((event) => !['reconcile', 'sweep'].includes(event))).toEqual([
    'start',
    'request',
    'stopping',
    'stop',
  ]);
});

/** Receives what systemd would, by datagrams to a file, and writes a line for each; descriptors are closed, which ends a wait. */
const receiver = `
import array, os, socket, sys
listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listening.bind(sys.argv[1])
print('listening', flush=True)
while True:
    text, others, _, _ = listening.recvmsg(4096, 1024)
    for _, _, data in others:
        for descriptor in array.array('i', data[:len(data) - len(data) % 4]): os.close(descriptor)
    print(text.decode(), flush=True)
`;
const hasNotify =
  spawnSync('systemd-notify', ['--version']).status === 0 && spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasNotify)('systemd’s own program passes on that the service is ready and alive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    ...parseEnv(readFileSync('.dev.vars.example', 'utf8')),
    NOTIFY_SOCKET: join(folder, 'notify'),
    WATCHDOG_USEC: '200000',
    FIELDBELL_DB: join(folder, 'fieldbell.db'),
    PORT: '0',
  };
  const systemd = run('python3', ['-c', receiver, env.NOTIFY_SOCKET], { cwd: '.', env: {} });
  await systemd.line(/listening/);
  const service = run(process.execPath, ['src/node.ts', '--local'], { cwd: '.', env });
  await systemd.line(/READY=1/);
  await systemd.line(/WATCHDOG=1/);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.lines.join('\n')).not.toContain('systemd.failed');
  await systemd.end('SIGKILL');
});

/** A machine without systemd skips the test; `.ci/run` installs it. */
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 || process.env.CI;

test.skipIf(!hasSystemd)('systemd finds no fault in the unit, and rates its exposure below 3 of 10', () => {
  const rated = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', '--threshold=29', 'deploy/fieldbell.service'],
    { encoding: 'utf8' },
  );
  expect(rated.stdout).toMatch(/Overall exposure level for fieldbell\.service: [0-2]\.\d /);
  expect(rated.status).toBe(0);
  for (const line of ['Type=notify', 'NotifyAccess=all', 'WatchdogSec=60', 'MemoryMax=2G', 'LimitCORE=0'])
    expect(unit).toMatch(new RegExp(`^${line}$`, 'm'));
  // The program itself may be missing here, and the file of its settings.
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', 'deploy/fieldbell.service'], {
    encoding: 'utf8',
  });
  const faults = verified.stderr
    .split('\n')
    .filter((line) => line.includes('fieldbell.service') && !line.includes('/usr/bin/node'));
  expect(faults).toEqual([]);
});
