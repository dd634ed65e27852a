import type { D1Database, D1Meta } from '@cloudflare/workers-types';
import type { BoundStatement, Driver, Rows } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';

/** D1's result of a statement in a batch: an object for each row. */
export interface Answer {
  results: object[];
}

/** Queries D1. */
export function d1Driver(d1: D1Database): Driver {
  const bound = ({ sql, values }: BoundStatement) => d1.prepare(compiledOnce(sql)).bind(...values);
  return {
    async run(statement, spend) {
      const rows = await bound(statement).raw();
      spend?.(rows.length / rowsOfMs);
      return rows as unknown[][];
    },
    async batch(statements, spend) {
      const answers = await d1.batch<object>(statements.map(bound));
      spend?.(answers.reduce((ms, { meta }) => ms + msOf(meta), 0));
      return answers.map(rowsOf);
    },
  };
}

/** Rows that D1 reads in a millisecond, roughly; writing one takes ten times as long. */
const rowsOfMs = 1_000;
const msOf = ({ rows_read = 0, rows_written = 0 }: Partial<D1Meta>) =>
  (rows_read + 10 * rows_written) / rowsOfMs;

export const rowsOf = ({ results }: Answer): Rows => ({
  columns: Object.keys(results[0] ?? {}),
  rows: results.map((row) => Object.values(row)),
});
