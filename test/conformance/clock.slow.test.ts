import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { eventually } from '../support/eventually.ts';
import { newPhone } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import { daily } from './scenarios/reminders.ts';
import { run } from './support/processes.ts';
import { denoPermissions, newFolder } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { dayFromNow, minuteAhead } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

const clock = './test/conformance/support/stepped-clock.ts';
const commands = {
  node: ['--import', clock, 'src/node.ts', '--local'],
  deno: ['run', '--preload', clock, ...denoPermissions, 'src/deno.ts', '--local'],
} as const;
const minuteMs = 60_000;
/** As `daily` has it. */
const zone = 'Asia/Kathmandu';

/** A service whose clock a test sets, and a push relay with a clock of its own. `ahead` and `relay`: ms. */
async function start(runtime: 'node' | 'deno', relay = 0) {
  const folder = await newFolder(runtime, 'fieldbell-clock-');
  let relayAhead = relay;
  // Deno's thread that signs pushes has the machine's clock.
  const maxSkewMs = 120 * minuteMs;
  const sns = await startSns({ ...snsDefaults, port: 0, maxSkewMs, now: () => Date.now() + relayAhead });
  const CLOCK_STEP = join(folder, 'ahead');
  const setClock = (ahead: number) => writeFile(CLOCK_STEP, String(ahead));
  await setClock(0);
  const env = { ...settings(sns.url), FIELDBELL_DB: join(folder, 'fieldbell.db'), PORT: '0', CLOCK_STEP };
  const process = run(join('node_modules/.bin', runtime), [...commands[runtime]], { cwd: '.', env });
  const [, url = ''] = await process.line(/"event":"start".*"url":"([^"]+)"/);
  return {
    process,
    world: newWorld({ url, sns }),
    setClock,
    setRelay(ahead: number) {
      relayAhead = ahead;
    },
    async end() {
      await process.end('SIGKILL');
      await sns.close();
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

test.concurrent.each(['node', 'deno'] as const)(
  'on %s, nothing is delivered by a clock that was set ahead, until it is right or the relay confirms it',
  async (runtime) => {
    const { process, world, setClock, setRelay, end } = await start(runtime);
    const ready = () => world.send('/health/ready');
    const { owner, responder, survey } = await newStudy(world, { startsOn: dayFromNow(-2) });
    const phone = await newPhone(world, responder, zone);
    const due = minuteAhead(30 * minuteMs);
    await owner.patch(`/survey/${survey}`, { reminders: daily(due, 'rolling', 'Diary') });
    await eventually('the plan', async () => {
      const { body } = await responder.get('/user/me/notifications');
      return body.notifications?.some(({ state }: { state: string }) => state === 'scheduled');
    });
    expect(await ready()).toMatchObject({ status: 200, body: { causes: [] } });

    await setClock(45 * minuteMs);
    const wrong = await ready();
    expect(wrong.status).toBe(503);
    expect(wrong.body.causes).toContain('clock');
    await process.line(/"event":"clock.wrong"/);
    expect(await phone.inbox()).toEqual([]);

    await setClock(0);
    expect(await ready()).toMatchObject({ status: 200, body: { causes: [] } });
    await process.line(/"event":"clock.right"/);
    expect(await phone.inbox()).toEqual([]);

    // As after a sleep of the machine: its clock went on, and the relay's.
    setRelay(45 * minuteMs);
    await setClock(45 * minuteMs);
    await eventually('the push', async () => (await phone.inbox()).length > 0);
    await eventually('readiness', async () => (await ready()).status === 200);
    expect(await phone.inbox()).toHaveLength(1);
    const events = process.lines.filter((line) => line.includes('"event":"clock.'));
    expect(events).toHaveLength(2);
    await end();
  },
);

test.concurrent('a clock that is wrong from the start is found out by the relay before anything is delivered', async () => {
  const { process, world, end } = await start('node', -60 * minuteMs);
  const [line] = await process.line(/^.*"event":"clock.wrong".*$/);
  expect(JSON.parse(line)).toMatchObject({ level: 'error', aheadSeconds: expect.any(Number) });
  const { status, body } = await world.send('/health/ready');
  expect({ status, causes: body.causes }).toEqual({ status: 503, causes: ['sweep', 'clock'] });
  await end();
});
