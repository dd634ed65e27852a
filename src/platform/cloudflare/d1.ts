import type { D1Database, D1Meta } from '@cloudflare/workers-types';
import type { BoundStatement, Database, Driver } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';
import { openDatabase } from '../../db/open-database.ts';

/** The application's database over a D1 binding. */
export const openD1 = (binding: D1Database): Database => openDatabase(driverOf(binding));

function driverOf(d1: D1Database): Driver {
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
      return answers.map(({ results }) => ({
        columns: Object.keys(results[0] ?? {}),
        rows: results.map((row) => Object.values(row)),
      }));
    },
  };
}

/** Rows that D1 reads in a millisecond, roughly; writing one takes ten times as long. */
const rowsOfMs = 1_000;
const msOf = ({ rows_read = 0, rows_written = 0 }: Partial<D1Meta>) =>
  (rows_read + 10 * rows_written) / rowsOfMs;
