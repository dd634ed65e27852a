import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { openCopy, replicate } from '../../examples/replicate.ts';
import { createClient } from '../../src/client.ts';
import type { Database } from '../../src/db/database.ts';
import { reconcile } from '../../src/operations/reconcile.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import type { Person } from '../support/people.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { lock, newStudy, type Study } from '../support/studies.ts';
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

interface World {
  met: Met;
  service: LocalService;
  study: Study;
  random: Random;
  now: { ms: number };
  faults: { on: boolean };
  cases: string[];
  responses: string[];
  surveys: string[];
}

async function newWorld(number: number, met: Met): Promise<World> {
  const random = new Random(number);
  const now = { ms: Date.now() };
  const faults = { on: false };
  service = await localService({}, (services) => {
    const faulty = failing(services.db, random, met);
    return {
      ...services,
      now: () => now.ms,
      get db() {
        return faults.on ? faulty : services.db;
      },
    };
  });
  const study = await newStudy(service.world);
  return { met, service, study, random, now, faults, cases: [], responses: [], surveys: [study.survey] };
}

type Act = (world: World, by: Person) => Promise<unknown>;

const some = ({ random }: World, list: string[]) =>
  [...new Set(Array.from({ length: 3 }, () => random.pick(list)))].filter(Boolean);
const items = (world: World) => ({
  cases: some(world, world.cases).map((identifier) => ({ identifier })),
  responses: some(world, world.responses).map((identifier) => ({ identifier })),
});
const id = () => crypto.randomUUID().replaceAll('-', '');
const word = ({ random }: World) => random.pick(['well', 'badly', 'hardly', 'soundly', '']);
const change =
  (route: string, ...statuses: string[]): Act =>
  (world, by) =>
    by.post(`/investigation/${world.study.id}/${route}`, {
      ...items(world),
      status: world.random.pick(statuses),
    });

const acts: Act[] = [
  (world, by) => {
    const identifier = id();
    world.cases.push(identifier);
    return by.post(`/investigation/${world.study.id}/case`, { label: 'Night', identifier });
  },
  (world, by) => {
    const identifier = id();
    world.responses.push(identifier);
    const body = { case: world.random.pick(world.cases), items: { q1: word(world) }, identifier };
    return by.post(`/survey/${world.random.pick(world.surveys)}/response`, body);
  },
  (world, by) =>
    by.patch(`/case/${world.random.pick(world.cases)}`, { label: `Night ${world.random.int(9)}` }),
  (world, by) =>
    by.patch(`/response/${world.random.pick(world.responses)}`, {
      items: { q1: word(world) },
      reason: 'a correction',
    }),
  (world, by) =>
    lock(
      by,
      world.study,
      { cases: some(world, world.cases), responses: some(world, world.responses) },
      world.random.pick(['locked', 'unlocked']),
    ),
  change('archive-items', 'archived', 'active'),
  change('delete-items', 'deleted', 'active'),
  ({ study, random }, by) =>
    by.post(`/investigation/${study.id}/lock-matching`, {
      status: random.pick(['locked', 'unlocked']),
      filter: { kinds: ['responses'] },
    }),
  ({ study, random }, by) =>
    by.patch(`/investigation/${study.id}/member/${study.other.id}`, {
      code: random.pick(['P-1', 'P-2', null]),
    }),
  ({ study, random }, by) =>
    by.patch(`/investigation/${study.id}/member/${study.other.id}`, {
      role: random.pick(['editor', 'responder']),
    }),
  ({ study }, by) => by.delete(`/investigation/${study.id}/member/${study.other.id}`),
  ({ study }, by) =>
    by.post(`/investigation/${study.id}/member`, { user: study.other.id, role: 'responder' }),
  ({ random }, by) => by.patch('/user/me', { name: random.pick(['Sam', 'Kim', 'Alex']) }),
  (world, by) => {
    const identifier = id();
    world.surveys.push(identifier);
    return by.post(`/investigation/${world.study.id}/survey`, {
      name: 'Mood',
      items: [{ identifier: 'q1', label: 'How?' }],
      identifier,
    });
  },
  ({ surveys, random }, by) =>
    by.patch(`/survey/${random.pick(surveys)}`, {
      status: random.pick(['active', 'archived']),
      name: `Diary ${random.int(9)}`,
    }),
  ({ study, random }, by) => by.patch(`/investigation/${study.id}`, { name: `Sleep ${random.int(9)}` }),
  async ({ study }, by) => {
    await by.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'analysis' });
    await by.post(`/investigation/${study.id}/freeze`, { status: 'active', reason: 'done' });
  },
  // Deleted items are purged after 30 days.
  async ({ service: { services, client }, study, cases, now, random, met }) => {
    const items = () => client.query('select count(*) as n from study_case').then(([row]) => Number(row?.n));
    const gone = { cases: [{ identifier: random.pick(cases) }], status: 'deleted' };
    await study.owner.post(`/investigation/${study.id}/delete-items`, gone);
    if (now.ms - Date.now() < 300 * days) now.ms += 31 * days;
    const before = await items();
    await reconcile(services);
    met.purged += Math.max(0, before - (await items()));
  },
];

/** A client whose requests break off at random, as those of a reader that is killed. */
const readerOf = ({ service: { app }, study, random }: World) =>
  createClient({
    baseUrl: 'https://fieldbell.test',
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
    baseUrl: 'https://fieldbell.test',
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
) {
  const world = await newWorld(number, met);
  await prepare(world);
  const { study, random, now, faults } = world;
  const people = [study.owner, study.owner, study.editor, study.responder, study.other];
  const early = openCopy(':memory:');
  const follower = newCopy();
  for (let step = 0; step < steps; step++) {
    now.ms += random.int(90) * 1000;
    faults.on = true;
    const writers = Array.from(
      { length: 1 + random.int(3) },
      () => [random.pick(acts), random.pick(people)] as const,
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
  for (let n = 0; met.compared < 1_000; n++) await run(seed + n, 200, met);
  console.log(JSON.stringify(met));
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(10);
});

describe('the proof catches', () => {
  const caught = (sql: string) =>
    expect(async () => {
      for (let n = 0; n < 10; n++)
        await run(seed + n, 200, { ...nothingMet }, ({ service: { client } }) => client.execute(sql));
    }).rejects.toThrow(/^step \d+ of|the latest sequence of the study/);

  test.each([
    ['a write that shows in no change', 'drop trigger response_changed'],
    [
      'a deletion that leaves no trace after the purge',
      'create trigger planted after delete on study_case begin delete from change where identifier = old.id; end',
    ],
  ])('%s', (_, sql) => caught(sql));
});
