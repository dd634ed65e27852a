import type { D1Database, D1DatabaseSession } from '@cloudflare/workers-types';
import type { BoundStatement, Driver, Rows } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';

/** D1's result of a statement in a batch: an object for each row. */
export interface Answer {
  results: object[];
}

/** Queries D1, or a session of it. */
export function d1Driver(d1: D1Database | D1DatabaseSession): Driver {
  const bound = ({ sql, values }: BoundStatement) => d1.prepare(compiledOnce(sql)).bind(...values);
  return {
    run: (statement) => bound(statement).raw(),
    batch: async (statements) => (await d1.batch<object>(statements.map(bound))).map(rowsOf),
  };
}

export const rowsOf = ({ results }: Answer): Rows => ({
  columns: Object.keys(results[0] ?? {}),
  rows: results.map((row) => Object.values(row)),
});
