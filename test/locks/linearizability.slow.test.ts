import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { newClock, perform, randomTemplate, type Shares } from '../support/histories.ts';
import { isLinearizable, type Operation, published } from '../support/linearizability.ts';
import { initialState, type LockOp, step } from '../support/lock-model.ts';
import { seed } from '../support/seed.ts';
import { newCase } from '../support/studies.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { faultyApp, type Random } from './support/faulty-apps.ts';

/*
 * Not examples: some order of concurrent requests explains all answers. Histories of random requests under faults are
 * checked against a model of locks. A history that no order explains is printed.
 */

const clients = 6;
const requests = 8;

/** Mulberry32: the same requests and faults for the same seed, though the runtime decides how they overlap. */
const seeded = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

interface Recording {
  rewrite?: (query: string) => string;
  shares?: Shares;
}

async function record(seed: number, { rewrite, shares }: Recording = {}): Promise<Operation<LockOp>[]> {
  const random = seeded(seed);
  const study = await sleepStudy();
  const cases = [await newCase(study, study.owner, 'a'), await newCase(study, study.owner, 'b')];
  const app = faultyApp(random, rewrite);
  const send = async (path: string, init: RequestInit) => {
    const response = await app.request(path, init);
    return { status: response.status, text: await response.text() };
  };
  const subject = { send, study, cases };
  const tick = newClock();
  const client = async (n: number) => {
    const done: Operation<LockOp>[] = [];
    for (let k = 0; k < requests; k++) {
      const unique = (seed * 10_000 + n * 100 + k + 1).toString(16).padStart(32, 'c');
      const template = randomTemplate(random, cases.length, unique, shares);
      done.push(await perform(subject, study.owner, template, tick));
    }
    return done.map((operation) => ({ ...operation, client: `client ${n}` }));
  };
  return (await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))).flat();
}

const explained = (history: Operation<LockOp>[]) => isLinearizable(history, initialState(['a', 'b']), step);

const histories = 20;
/** Not those of the planted faults. */
const firstSeed = 10_000 + seed;

test(`${histories} histories of ${clients} clients under faults: an order explains each`, async () => {
  const answers = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const history = await record(seed);
    if (!explained(history))
      throw new Error(`No order explains the history of seed ${seed}:\n${published(history)}`);
    for (const { op } of history) {
      const what = typeof op.answer === 'string' ? op.answer : 'read';
      answers.set(what, (answers.get(what) ?? 0) + 1);
    }
  }
  // Each kind of answer was met, often enough to mean something.
  for (const what of ['ok', 'read', 'lost', 'item.locked', 'study.frozen'])
    expect(answers.get(what) ?? 0, what).toBeGreaterThan(histories);
});

/** A guard that is broken on purpose: the checker is worth what it finds. */
describe('the checker finds', () => {
  const seeds = 60;
  const search = async (first: number, recording: Recording = {}) => {
    for (let seed = first; seed < first + seeds; seed++) {
      const history = await record(seed, recording);
      if (!explained(history)) return published(history);
    }
    return undefined;
  };

  test('an edit that does not look for a lock when it writes', async () => {
    const withoutGuard = (query: string) =>
      /^update "study_case"/i.test(query)
        ? query.replace(/"study_case"\."locked_at" is null/i, '1').replace(/"locked_at" is null/i, '1')
        : query;
    // It shows in two reads of a locked case with different labels.
    const shares: Shares = [
      ['edit', 0.35],
      ['lock', 0.45],
      ['unlock', 0.5],
    ];
    expect(await search(1000, { rewrite: withoutGuard, shares })).toMatch(/"kind":"edit"/);
  });

  test('a lock by filter that leaves one out', async () => {
    const first =
      '(select min(c.id) from study_case c where c.investigation_id = study_case.investigation_id)';
    const withoutOne = (query: string) =>
      /^update study_case\s+set locked_at/i.test(query)
        ? query.replace(/where id in/i, `where id <> ${first} and id in`)
        : query;
    expect(await search(3000, { rewrite: withoutOne })).toMatch(/"kind":"lock-all"/);
  });

  test('a freeze that one trigger has forgotten', async () => {
    const { sql } =
      (await env.DB.prepare("select sql from sqlite_master where name = 'case_changed'").first<{
        sql: string;
      }>()) ?? {};
    expect(sql).toBeDefined();
    await env.DB.prepare('drop trigger case_changed').run();
    const found = await search(2000);
    await env.DB.prepare(sql ?? '').run();
    expect(found).toMatch(/"kind":"freeze"/);
  });
});
