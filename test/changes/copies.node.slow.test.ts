import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { openCopy, replicate } from '../../examples/replicate.ts';
import type { Database } from '../../src/db/database.ts';
import { query } from '../../src/db/query.ts';
import { reconcile } from '../../src/operations/jobs.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { newStudy } from '../support/studies.ts';
import { type Act, acts, newWritten, type Written, writerOf } from './support/acts.ts';
import { follow, listed, newCopy, sorted } from './support/copies.ts';

/*
 * Everybody in a study writes at random, through a database that fails before and after it writes, while copies are read
 * with interruptions. At random moments each copy equals the lists.
 */

const minutes = 60_000;
const days = 24 * 60 * minutes;

let service: LocalService | undefined;
afterEach(() => service?.dispose());

/** A batch in ten writes fails before the database has it, and one in twenty after. */
function failing(db: Database, random: Random, met: Met): Database {
  const batch: Database['batch'] = async (statements) => {
    if (random.chance(0.05)) {
      met.faultsBefore++;
      throw new Error('disk I/O error');
    }
    const rows = await db.batch(statements);
    if (random.chance(0.03)) {
      met.faultsAfter++;
      throw new Error('the answer was lost');
    }
    return rows;
  };
  return new Proxy(db, { get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name)) });
}

/** Counts of what happened, so that nothing silently does not. */
const nothingMet = { faultsBefore: 0, faultsAfter: 0, interrupted: 0, purged: 0, compared: 0 };
type Met = typeof nothingMet;

interface World extends Written {
  met: Met;
  service: LocalService;
  now: { ms: number };
  faults: { on: boolean };
}

async function newWorld(
  number: number,
  met: Met,
  change: (db: Database, random: Random) => Database = (db) => db,
): Promise<World> {
  const random = new Random(number);
  const now = { ms: Date.now() };
  const faults = { on: false };
  service = await localService({}, (services) => {
    const db = change(services.db, random);
    const faulty = failing(db, random, met);
    return {
      ...services,
      now: () => now.ms,
      get db() {
        return faults.on ? faulty : db;
      },
    };
  });
  const study = await newStudy(service.world);
  return { ...newWritten(study, random), met, service, now, faults };
}

/** Deleted items are purged after 30 days; of a case that is answered a row stays. */
const purge: Act<World> = async ({ service: { services, client }, study, cases, now, random, met }) => {
  const kept = 'select count(*) as n from study_case where deleted_at is not 0';
  const items = () => client.query(kept).then(([row]) => Number(row?.n));
  const gone = { cases: [{ identifier: random.pick(cases) }], status: 'deleted' };
  await study.owner.post(`/investigation/${study.id}/delete-items`, gone);
  if (now.ms - Date.now() < 300 * days) now.ms += 31 * days;
  const before = await items();
  await reconcile(services);
  met.purged += Math.max(0, before - (await items()));
};

/** A client whose requests break off at random, as those of a reader that is killed. */
const readerOf = ({ service: { app }, study, random }: World) =>
  createClient({
    baseUrl: 'https://fieldbell.localhost',
    token: () => study.owner.token,
    retries: 0,
    fetch: async (input, init) => {
      if (random.chance(0.2)) throw new Error('interrupted');
      return app.request(input, init);
    },
  });

async function readOn(world: World, copy: DatabaseSync): Promise<void> {
  for (;;)
    try {
      await replicate(readerOf(world), world.study.id, copy);
      return;
    } catch (error) {
      if (!String(error).includes('interrupted')) throw error;
      world.met.interrupted++;
      if (world.random.chance(0.5)) return;
    }
}

async function readToEnd(world: World, copy: DatabaseSync): Promise<void> {
  const { app } = world.service;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => app.request(input, init);
  const client = createClient({
    baseUrl: 'https://fieldbell.localhost',
    token: () => world.study.owner.token,
    fetch,
  });
  await replicate(client, world.study.id, copy);
}

const thingsOf = (copy: DatabaseSync) =>
  new Map(
    copy
      .prepare('select kind, identifier, body from thing')
      .all()
      .map(({ kind, identifier, body }) => [`${kind} ${identifier}`, JSON.parse(String(body))]),
  );

/** Counts into `met`; throws at the first difference. */
async function run(
  number: number,
  steps: number,
  met: Met,
  prepare: (world: World) => Promise<unknown> = async () => {},
  change?: (db: Database, random: Random) => Database,
) {
  const world = await newWorld(number, met, change);
  await prepare(world);
  const { study, random, now, faults } = world;
  const early = openCopy(':memory:');
  const follower = newCopy();
  for (let step = 0; step < steps; step++) {
    now.ms += random.int(90) * 1000;
    faults.on = true;
    const writers = Array.from(
      { length: 1 + random.int(3) },
      () => [random.pick([...acts, purge]), writerOf(world)] as const,
    );
    await Promise.all(writers.map(([act, by]) => act(world, by)));
    faults.on = false;
    if (random.chance(0.5)) await readOn(world, early);
    if (!random.chance(0.25)) continue;
    const late = openCopy(':memory:');
    await readToEnd(world, late);
    await readToEnd(world, early);
    const lists = sorted(await listed(study.owner, study));
    expect(sorted(thingsOf(late)), `step ${step} of ${number}`).toEqual(lists);
    expect(sorted(thingsOf(early)), `step ${step} of ${number}`).toEqual(lists);
    // In pages of seven: each change once, and in order.
    await follow(follower, study.owner, study.id, 7);
    expect(sorted(follower.things), `step ${step} of ${number}`).toEqual(lists);
    expect(follower.read).toEqual([...new Set(follower.read)].sort((a, b) => a - b));
    late.close();
    met.compared++;
  }
  early.close();
  await world.service.dispose();
  service = undefined;
}

test('copies equal the lists at random moments, however they were interrupted', async () => {
  const met = { ...nothingMet };
  for (let n = 0; met.compared < 250; n++) await run(seed + n, 200, met);
  console.log(JSON.stringify(met));
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(10);
});

describe('the proof catches', () => {
  const caught = (prepare: (world: World) => Promise<unknown>, change?: Parameters<typeof newWorld>[2]) =>
    expect(async () => {
      for (let n = 0; n < 40; n++) await run(seed + n, 200, { ...nothingMet }, prepare, change);
    }).rejects.toThrow(/^step \d+ of|the latest sequence of the study/);

  test.each([
    ['a write that shows in no change', 'drop trigger response_changed'],
    [
      'a deletion that leaves no trace after the purge',
      'create trigger planted after delete on study_case begin delete from change where identifier = old.id; end',
    ],
  ])('%s', (_, sql) => caught(({ service: { client } }) => client.execute(sql)));

  test('a sequence that is given after the batch, by a process that may die in between', () =>
    caught(planLate, (db, random) => {
      late = false;
      const batch: Database['batch'] = async (statements) => {
        const rows = await db.batch(statements);
        if (!late) return rows;
        if (random.chance(0.2)) await db.batch([query(db, 'delete from late where true', {})]);
        await db.batch([query(db, giveSequences, {}), query(db, 'delete from late where true', {})]);
        return rows;
      };
      return new Proxy(db, { get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name)) });
    }));

  /** Whether the world of the moment has that fault. */
  let late = false;

  /** Changes of responses wait in a table of their own, as in the memory of a process. */
  async function planLate({ service: { client } }: World) {
    const [trigger] = await client.query("select sql from sqlite_master where name = 'response_changed'");
    await client.execute('drop trigger response_changed');
    await client.execute('create table late as select * from new_change where false');
    const planted = String(trigger?.sql).replace('INSERT INTO `new_change`', 'INSERT INTO `late`');
    await client.execute(planted);
    late = true;
  }
  const giveSequences = `insert into new_change select * from late
    where rowid in (select max(rowid) from late group by identifier) order by rowid`;
});
