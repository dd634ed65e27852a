import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { reconcile } from '../../src/jobs/reconcile.ts';
import { rehashSlice } from '../../src/model/activity-rehash.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry } from '../../src/services.ts';
import { hashOf, sha256 } from '../support/chains.ts';
import { lock, newCase, type Study } from '../support/studies.ts';
import { FaultPoints, withFaultPoints } from './support/fault-points.ts';
import { insertEntries, readLog, seedEntries } from './support/logs.ts';
import { sleepStudy } from './support/world.ts';

/*
 * Version 0.1.0 hashed an array of the stored fields, which no answer showed as they were hashed. Its entries are
 * written here as it wrote them.
 */

const zeros = '0'.repeat(64);
const context = (database = env.DB) => ({ db: openD1(database), now: Date.now() });
const verify = async ({ id, owner }: Study) => (await owner.get(`/investigation/${id}/activity/verify`)).body;

beforeEach(() => env.DB.prepare('delete from activity').run());

/** Replaces the log of a study by one of version 0.1.0. */
async function oldLog(study: Study, count: number) {
  await env.DB.prepare('delete from activity where investigation_id = ?').bind(study.id).run();
  const rows: Parameters<typeof insertEntries>[0] = [];
  let previous = zeros;
  for (let position = 1; position <= count; position++) {
    const row = {
      investigationId: study.id,
      position,
      id: position.toString(16).padStart(32, '0'),
      at: 1_800_000_000_000 + position,
      actorId: study.owner.id,
      action: 'study.changed',
      cases: [],
      responses: [],
      reason: position % 2 ? null : 'é "because"',
      details: position % 3 ? null : { name: `Sleep ${position}` },
    };
    const hash = await sha256(`${previous}\n${JSON.stringify(Object.values(row))}`);
    rows.push({ ...row, action: 'study.changed', signature: null, hash, formula: 0 });
    previous = hash;
  }
  await insertEntries(rows);
  return previous;
}

/** Slices until nothing is left to do. */
async function rehashAll(database = env.DB) {
  let slices = 0;
  while ((await rehashSlice(context(database))) !== null) slices++;
  return slices;
}

async function expectReproducible(study: Study) {
  const entries = await readLog(study, study.owner);
  let previous = zeros;
  for (const { hash, actorName, ...entry } of entries) {
    expect(hash).toBe(await hashOf(previous, entry));
    previous = hash;
  }
  expect(await verify(study)).toEqual({ valid: true, entries: entries.length, head: previous });
  return entries;
}

test('entries of an older version get their new hashes within the hour, and the log says so', async () => {
  const [study, other] = [await sleepStudy(), await sleepStudy()];
  const [head, otherHead] = [await oldLog(study, 30), await oldLog(other, 3)];
  expect(await verify(study)).toEqual({ valid: true, entries: 30, head });
  const lines: LogEntry[] = [];
  await reconcile({ ...createServices(env), log: (line) => lines.push(line) });

  const entries = await expectReproducible(study);
  expect(entries).toHaveLength(31);
  const [newHead, said] = entries.slice(-2);
  expect(said).toMatchObject({
    actor: '0'.repeat(32),
    actorName: 'Fieldbell',
    action: 'log.rehashed',
    details: { from: 1, to: 30, before: { hash: head }, after: { hash: newHead.hash } },
  });
  expect(said.details).not.toHaveProperty('brokenAt');
  expect((await expectReproducible(other)).at(-1).details.before).toEqual({ hash: otherHead });
  expect(lines.filter(({ event }) => event === 'log.rehashed')).toHaveLength(2);

  const before = await readLog(study, study.owner);
  await reconcile({ ...createServices(env), log: () => {} });
  expect(await readLog(study, study.owner)).toEqual(before);
});

test('until then the chain is whole, and so it is when the old and the new version write in turns', async () => {
  const study = await sleepStudy();
  await oldLog(study, 5);
  const of = await newCase(study, study.owner);
  await lock(study.owner, study, { cases: [of] });
  expect(await verify(study)).toMatchObject({ valid: true, entries: 6 });
  await rehashAll();
  expect((await expectReproducible(study)).map(({ action }) => action).slice(5)).toEqual([
    'items.locked',
    'log.rehashed',
  ]);

  // A process of the old version that still runs after that: it leaves out the columns that it does not know.
  const { head } = await verify(study);
  const row = [study.id, 8, 'f'.repeat(32), 0, study.owner.id, 'study.changed', [], [], null, null];
  await env.DB.prepare(
    `insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, hash)
      values (?, 8, ?, 0, ?, 'study.changed', '[]', '[]', ?)`,
  )
    .bind(study.id, 'f'.repeat(32), study.owner.id, await sha256(`${head}\n${JSON.stringify(row)}`))
    .run();
  await lock(study.owner, study, { cases: [of] }, 'unlocked');
  expect(await verify(study)).toMatchObject({ valid: true, entries: 9 });
  await rehashAll();
  expect((await expectReproducible(study)).at(-1).details).toMatchObject({ from: 8, to: 9 });
});

test('a long log is hashed in slices of a thousand, each of two round trips, and takes effect at once', async () => {
  const study = await sleepStudy();
  const entries = 2500;
  const head = await oldLog(study, entries);
  for (let slice = 1; slice <= 2; slice++) {
    expect(await rehashSlice(context())).toBe('going-on');
    expect(await verify(study)).toEqual({ valid: true, entries, head });
  }
  expect(await rehashSlice(context())).toEqual({ rehashed: study.id });
  expect(await expectReproducible(study)).toHaveLength(entries + 1);
  expect(await rehashSlice(context())).toBeNull();
});

test('whoever writes during the last step is not lost, and makes it start that step again', async () => {
  const study = await sleepStudy();
  await oldLog(study, 20);
  const cases = [await newCase(study, study.owner), await newCase(study, study.owner)];
  await Promise.all([
    rehashAll(),
    rehashAll(),
    ...Array.from({ length: 10 }, (_, n) =>
      lock(study.owner, study, { cases: [cases[n % 2] ?? ''] }, n % 4 < 2 ? 'locked' : 'unlocked'),
    ),
  ]);
  await rehashAll();
  const entries = await expectReproducible(study);
  expect(entries.filter(({ action }) => action === 'log.rehashed')).toHaveLength(1);
});

test('killed before and after each step, it ends as if nothing had happened', async () => {
  const points = new FaultPoints();
  const database = withFaultPoints(env.DB, points);
  const study = await sleepStudy();
  for (let fatal = 0; ; fatal++) {
    const head = await oldLog(study, 12);
    points.arm(fatal);
    const killed = await rehashAll(database).then(
      () => false,
      () => true,
    );
    points.arm(null);
    await rehashAll();
    const entries = await expectReproducible(study);
    expect(entries).toHaveLength(13);
    expect(entries.at(-1).details.before).toEqual({ hash: head });
    if (!killed) break;
    expect(fatal).toBeLessThan(20);
  }
});

describe('a log that was damaged before', () => {
  test.each([
    ['an edited entry', "update activity set reason = 'x' where position = 7"],
    ['a removed entry', 'delete from activity where position = 7'],
    ['a list that is no JSON', "update activity set cases = '[' where position = 7"],
  ])('by %s: the entry says where, and new hashes do not hide it', async (_, damage) => {
    const study = await sleepStudy();
    await oldLog(study, 12);
    await env.DB.exec(damage);
    await rehashAll();
    const brokenAt = damage.startsWith('delete') ? 8 : 7;
    const { details } = await env.DB.prepare("select details from activity where action = 'log.rehashed'")
      .all<{ details: string }>()
      .then(({ results: [row] }) => ({ details: JSON.parse(row?.details ?? '{}') }));
    expect(details).toMatchObject({ to: 12, brokenAt });
    if (!damage.startsWith('update activity set reason')) expect((await verify(study)).valid).toBe(false);
  });
});

test('a study that is gone in the middle is left alone', async () => {
  const [study, other] = [await sleepStudy(), await sleepStudy()];
  await oldLog(study, 1010);
  await oldLog(other, 5);
  await rehashSlice(context());
  await env.DB.prepare('delete from activity where investigation_id = ?').bind(study.id).run();
  await rehashAll();
  expect(await readLog(study, study.owner)).toEqual([]);
  expect(await expectReproducible(other)).toHaveLength(6);
});

test('with nothing to do it reads a handful of rows, whatever the size of the logs', async () => {
  const study = await sleepStudy();
  await seedEntries(study, 2000);
  await oldLog(await sleepStudy(), 2);
  await rehashAll();
  const { counts, database } = countedD1(env.DB);
  expect(await rehashSlice(context(database))).toBeNull();
  expect(counts.roundTrips).toBe(1);
  expect(counts.rowsRead).toBeLessThanOrEqual(5);
  expect(counts.rowsWritten).toBeLessThanOrEqual(1);
});
