import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import worker from '../../src/worker.ts';
import { checkStatement } from '../support/d1-limits.ts';
import { type Person, requestOf } from '../support/people.ts';
import { asInvocation, bindUnchecked, statementsOfNewest, takeRefusals } from '../support/worker/d1-guard.ts';
import { send, signUp } from '../support/worker/world.ts';

/*
 * The tests refuse everything that `checkStatement` refuses. Here it is compared with the local D1: a statement that
 * passes the check must pass there, and one that D1 takes without trouble must pass the check.
 */
const chain = (terms: number, operator = 'and') =>
  `select 1 where ${Array(terms).fill('1 = 1').join(` ${operator} `)}`;
const compound = (terms: number) => Array(terms).fill('select 1').join(' union all ');
const list = (count: number) => `select 1 in (${Array(count).fill('?').join(', ')})`;
const nested = `select * from (${compound(5)}) union all select * from (${compound(5)})`;
const joined = `select '${'x'.repeat(90)}'${" || 'y'".repeat(98)}`;

const statements: [name: string, sql: string, values: unknown[], taken: boolean][] = [
  ['100 parameters', list(100), Array(100).fill(1), true],
  ['101 parameters', list(101), Array(101).fill(1), false],
  ['a chain of 99 ANDs', chain(99), [], true],
  ['a chain of 101 ANDs', chain(101), [], false],
  ['a chain of 101 ORs', chain(101, 'or'), [], false],
  ['a compound of 5', compound(5), [], true],
  ['a compound of 6', compound(6), [], false],
  ['compounds of 5 within another', nested, [], true],
  ['a long concatenation', joined, [], true],
  ['a text of 99 KB', `select '${'x'.repeat(99_000)}'`, [], true],
  ['a text over 100 KB', `select '${'x'.repeat(100_001)}'`, [], false],
  ['words within a literal', `select '${' and '.repeat(200)} union ${' union '.repeat(20)}'`, [], true],
];

test.each(statements)('%s: the check and D1 agree', async (_, sql, values, taken) => {
  const byCheck = refusalOf(() => checkStatement(sql, values));
  const byD1 = await bindUnchecked(env.DB.prepare(sql), values)
    .all()
    .then(
      () => null,
      (error: Error) => error.message,
    );
  expect({ check: byCheck === null, d1: byD1 === null }).toEqual({ check: taken, d1: taken });
});

test('every statement of the tests is checked, also for what only the real D1 refuses', async () => {
  const tooLong = 'é'.repeat(1_000_001);
  const statement = env.DB.prepare('select length(?) as n');
  expect(await bindUnchecked(statement, [tooLong]).first('n')).toBe(1_000_001);
  expect(refusalOf(() => statement.bind(tooLong))).toMatch(/bytes in one value/);
});

test('a BLOB may have as many bytes as a text', () => {
  const statement = env.DB.prepare('select length(?) as n');
  const sizes = [2_000_000, 2_000_001];
  for (const blobOf of [
    (size: number) => new ArrayBuffer(size),
    (size: number) => new Uint8Array(size),
    (size: number) => Array<number>(size).fill(0),
  ]) {
    const [fits, tooLong] = sizes.map((size) => refusalOf(() => statement.bind(blobOf(size))));
    expect(fits).toBeNull();
    expect(tooLong).toMatch(/2000001 bytes in one value/);
  }
});

describe('an invocation puts a thousand statements to D1', () => {
  const one = () => env.DB.prepare('select 1 as n');
  const many = (count: number) => Array.from({ length: count }, one);

  test('one by one and in batches, which count as many as they have', async () => {
    await asInvocation(async () => {
      await env.DB.batch(many(600));
      await env.DB.batch(many(396));
      await Promise.all([one().all(), one().first(), one().run(), one().raw()]);
      expect(statementsOfNewest()).toBe(1_000);
      await expect(one().all()).rejects.toThrow('1001 statements of one invocation');
    });
    expect(takeRefusals()).toHaveLength(1);
  });

  test('and is refused a batch that goes beyond, also in work that it deferred', async () => {
    let deferred = Promise.resolve<unknown>(null);
    await asInvocation(async () => {
      deferred = Promise.resolve().then(() => env.DB.batch(many(1_001)));
    });
    await expect(deferred).rejects.toThrow('1001 statements of one invocation');
    expect(takeRefusals()).toHaveLength(1);
  });

  const invocations: [name: string, call: (user: string) => unknown][] = [
    ['a request', () => send('/user/me', requestOf({ token: ada.token }))],
    ['a tick', () => worker.scheduled({} as never, env)],
    ['an object', (user) => createServices(env).alarms.deliver(user)],
  ];
  let ada: Person;

  beforeAll(async () => {
    ada = await signUp('Ada');
  });

  test.each(invocations)('%s is an invocation of its own', async (_, call) => {
    await asInvocation(async () => {
      await env.DB.batch(many(999));
      await call(ada.id);
      await env.DB.batch(many(1));
    });
    expect(statementsOfNewest()).toBeGreaterThan(0);
    expect(statementsOfNewest()).toBeLessThan(100);
    expect(takeRefusals()).toEqual([]);
  });

  test('a test is none', async () => {
    await env.DB.batch(many(1_001));
    expect(takeRefusals()).toEqual([]);
  });
});

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return String(error);
  }
}
