import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check, DrillResult } from '../../tools/restore-drill/result.ts';
import { type Crowd, historiesOf, inboxes, newCrowd } from '../conformance/support/crowds.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import type { Mutant } from '../support/planted-fault.ts';
import { diary, lock, newCase, newResponse } from '../support/studies.ts';
import { newTarget, signing, type Target } from './target.ts';

/* The drill that an operator runs beside a server: of a whole backup, and of copies that it has to find broken. */

const members = 5;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const nine = Math.ceil(Date.now() / dayMs) * dayMs + 9 * 60 * minuteMs;

let target: Target;
let crowd: Crowd;
let night: string;
/** The moment of the drills: the reminders of 09:10 were sent, those of 09:30 and of the days after are to come. */
const at = nine + 12 * minuteMs;

beforeAll(async () => {
  target = await newTarget('node');
  const world = newWorld(target);
  const first = target.spawn(nine - 2_000, { variables: signing });
  await target.ready(first);
  crowd = await newCrowd(world, members, 'UTC');
  const { owner, investigation } = crowd;
  for (const minute of [10, 30])
    created(
      await owner.post(`/investigation/${investigation}/survey`, {
        name: `${minute}`,
        items: diary,
        reminders: {
          type: 'rolling',
          recurrence: `${minute} 9 * * *`,
          notification: { subject: 'Diary', body: `${minute}` },
          ...(minute === 30 && { followUps: { every: 30, max: 2 } }),
        },
      }),
    );
  night = await newCase({ id: investigation }, owner);
  await newResponse(crowd, owner, night);
  await lock(owner, { id: investigation }, { cases: [night] });
  await eventually('all planned', async () => (await historiesOf(crowd)).every((rows) => rows.length === 2));
  expect(await first.end('SIGTERM')).toBe(0);
  const second = target.spawn(nine + 10 * minuteMs, { variables: signing });
  await target.ready(second);
  await eventually('one sent to each', async () =>
    (await historiesOf(crowd)).every((rows) => rows.filter(({ state }) => state === 'sent').length === 1),
  );
});
afterAll(() => target.dispose());

/** The result of a drill, and its checks by name. */
async function drill(...args: string[]) {
  const { status, text } = await target.drill(at, '--json', ...args);
  expect(text, `${status}`).toMatch(/^\{/);
  const result = JSON.parse(text) as DrillResult;
  const checks = Object.fromEntries(result.checks.map((check) => [check.name, check]));
  return { status, result, checks: checks as Record<Check['name'], Check> };
}

const failed = ({ checks }: DrillResult) => checks.filter(({ passed }) => !passed).map(({ name }) => name);

const leftovers = async () => (await readdir(target.folder)).filter((name) => name.includes('drill'));

describe('beside a server that goes on writing', () => {
  test('the backup is whole: rows, logs, pending reminders, and no push of it was sent before', async () => {
    const { owner, investigation } = crowd;
    const { body: head } = await owner.get(`/investigation/${investigation}/activity/head`);
    const { body: keys } = await owner.get('/.well-known/jwks.json');
    const files = { head: join(target.folder, 'head.json'), jwks: join(target.folder, 'jwks.json') };
    await writeFile(files.head, JSON.stringify(head));
    await writeFile(files.jwks, JSON.stringify(keys));
    const before = (await inboxes(crowd)).flat().length;
    let writes = 0;
    let isDone = false;
    const writing = (async () => {
      for (; !isDone; writes++)
        for (const path of ['/user/me', `/investigation/${investigation}`])
          expect((await owner.patch(path, { name: `Ada ${writes}` })).status).toBe(200);
    })();
    const { status, result, checks } = await drill('--head', files.head, '--jwks', files.jwks);
    isDone = true;
    await writing;
    expect(writes).toBeGreaterThan(3);
    expect(result, JSON.stringify(result, null, 1)).toMatchObject({ passed: true, broken: null });
    expect(status).toBe(0);
    expect(result.checks.map(({ name }) => name)).toEqual([
      'backup',
      'file',
      'rows',
      'pending',
      'logs',
      'pushes',
    ]);
    expect(checks.rows.numbers).toMatchObject({ different: 0 });
    expect(checks.rows.numbers.rows).toBeGreaterThan(50);
    expect(checks.logs.numbers).toMatchObject({ studies: 1, signed: 1, kept: 1 });
    // Of both surveys for each member; and the owner, who has no phone, takes no part.
    expect(checks.pending.numbers).toMatchObject({ surveys: 2 });
    // At 09:30, with two nudges, and at 09:10 of the next day.
    expect(checks.pushes.numbers).toMatchObject({ hours: 24, reminders: 2 * members, again: 0, twice: 0 });
    expect(checks.pushes.numbers.pushes).toBe(4 * members);
    // No phone heard of it, and nothing is left.
    expect((await inboxes(crowd)).flat()).toHaveLength(before);
    expect(await leftovers()).toEqual([]);
  });

  test('people read it as a list of checks, and keep the backup', async () => {
    const kept = join(target.folder, 'kept.db');
    const { status, text } = await target.drill(at, '--keep', kept, '--hours', '1');
    expect(status, text).toBe(0);
    expect(text.split('\n').map((line) => line.slice(0, 10))).toEqual([
      'Restore dr',
      '✓ backup  ',
      '✓ file    ',
      '✓ rows    ',
      '✓ pending ',
      '✓ logs    ',
      '✓ pushes  ',
      'Passed: th',
    ]);
    expect((await stat(kept)).size).toBeGreaterThan(100_000);
    // A backup replaces no file.
    expect((await target.drill(at, '--keep', kept, '--hours', '0')).status).toBe(2);
  });
});

describe('a broken copy is found', () => {
  test('that was cut off', async () => {
    const { status, result } = await drill('--break', 'cut');
    expect([status, failed(result)]).toEqual([1, ['file']]);
  });

  test('in which an answer was changed, with the name of its row', async () => {
    const { status, result, checks } = await drill('--break', 'row');
    expect([status, failed(result)]).toEqual([1, ['rows']]);
    expect(checks.rows.faults.join()).toMatch(/response: [0-9a-f]{32} has another items/);
  });

  test('in which an entry of the log was changed, by the chain too', async () => {
    const { status, result, checks } = await drill('--break', 'log');
    expect([status, failed(result)]).toEqual([1, ['rows', 'logs']]);
    expect(checks.logs.faults.join()).toContain('the hash does not fit');
  });

  test('that would send a reminder again', async () => {
    const { status, result, checks } = await drill('--break', 'sent');
    expect([status, failed(result)]).toEqual([1, ['rows', 'pending', 'pushes']]);
    expect(checks.pushes.numbers.again).toBe(1);
  });

  test('that has not the head that was kept', async () => {
    const { owner, investigation } = crowd;
    const { body: head } = await owner.get(`/investigation/${investigation}/activity/head`);
    const file = join(target.folder, 'other.json');
    for (const other of [{ hash: 'f'.repeat(64) }, { position: head.position + 100 }]) {
      await writeFile(file, JSON.stringify({ ...head, ...other }));
      const { status, result } = await drill('--head', file, '--hours', '0');
      expect([status, failed(result)]).toEqual([1, ['logs']]);
    }
  });
});

describe('a drill that is interrupted leaves no copy of the data', () => {
  /** It stays in its first check, deep in a call that no signal ends, with a whole copy on the disk. */
  const stuck: Mutant = {
    fault: 'the check of the file never ends',
    file: 'tools/restore-drill/drill.ts',
    within: 'checkFile',
    find: 'const copy',
    replace: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); const copy',
  };
  const copies = async () => {
    const files = await readdir(target.folder, { recursive: true });
    return files.filter((name) => /drill.*\/restored\.db$/.test(name));
  };
  /** Of the copies: one is removed, and made again, under the same name. */
  const births = async () => {
    const born = (name: string) => stat(join(target.folder, name)).then(({ birthtimeMs }) => [birthtimeMs]);
    const all = await Promise.all((await copies()).map((name) => born(name).catch(() => [])));
    return all.flat();
  };
  async function stuckDrill(...args: string[]) {
    const before = new Set(await births());
    const running = target.startDrill(at, args, stuck);
    await eventually('its copy is there', async () => (await births()).some((one) => !before.has(one)));
    return running;
  }

  test('by SIGTERM', async () => {
    const running = await stuckDrill('--keep', join(target.folder, 'drilled.db'));
    // As a supervisor does, to the one process that it knows.
    process.kill(running.pid, 'SIGTERM');
    expect(await running.ended).toBe(143);
    expect(await leftovers()).toEqual([]);
    expect(await readdir(target.folder)).not.toContain('drilled.db');
  });

  test('by Ctrl-C, which reaches all of its processes', async () => {
    const running = await stuckDrill();
    expect(await running.end('SIGINT')).toBe(130);
    expect(await leftovers()).toEqual([]);
  });

  test('by SIGKILL: the next drill removes them, and nobody removes those of one that runs', async () => {
    const killed = await stuckDrill();
    await killed.end('SIGKILL');
    expect(await copies()).toHaveLength(1);
    const running = await stuckDrill();
    expect(await copies()).toHaveLength(1);
    const second = await target.drill(at, '--hours', '0');
    expect([second.status, second.text]).toEqual([2, expect.stringContaining('Another drill')]);
    expect(await copies()).toHaveLength(1);
    await running.end('SIGKILL');
    expect((await target.drill(at, '--hours', '0')).status).toBe(0);
    expect(await leftovers()).toEqual([]);
  });
});

test('the history of those who are pushed to is read once for each question, however many pushes there are', async () => {
  const counted: Mutant = {
    fault: 'each reading of the history is told',
    file: 'tools/restore-drill/notifications.ts',
    within: 'sentTo',
    find: 'const rows',
    replace: "console.log('history read'); const rows",
  };
  const running = target.startDrill(at, [], counted);
  expect(await running.ended, running.lines.join('\n')).toBe(0);
  expect(running.lines.join('\n')).toContain(`the copy pushes ${4 * members} times`);
  expect(running.lines.filter((line) => line === 'history read')).toHaveLength(3);
});

test('an unknown option is no drill', async () => {
  for (const args of [
    ['--break', 'everything'],
    ['--head', 'missing.json'],
  ])
    expect((await target.drill(at, ...args)).status, args.join(' ')).toBe(2);
});
