import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { checkStatement } from '../support/d1-limits.ts';
import { bindUnchecked } from './support/d1-guard.ts';

/*
 * The tests refuse what `checkStatement` refuses. Here it is compared with the local D1: whatever passes the check
 * must pass there, and what D1 takes without trouble must pass the check.
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

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return String(error);
  }
}
