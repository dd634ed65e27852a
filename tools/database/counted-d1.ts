import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';

export interface Counts {
  /** Calls of the database: single statements and batches. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

const inner = Symbol('statement');
type Counted = D1PreparedStatement & { [inner]: D1PreparedStatement };

/** Wraps D1 so that its own counters add up in `counts`. */
export function countedD1(binding: D1Database) {
  const counts: Counts = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  const add = ({ meta }: D1Result) => {
    counts.rowsRead += meta.rows_read;
    counts.rowsWritten += meta.rows_written;
  };

  const wrap = (statement: D1PreparedStatement, prepare: () => D1PreparedStatement): Counted => {
    const all = async () => {
      counts.roundTrips += 1;
      const result = await statement.all<Record<string, unknown>>();
      add(result);
      return result;
    };
    return {
      [inner]: statement,
      bind: (...values: unknown[]) => wrap(statement.bind(...values), () => prepare().bind(...values)),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
      // `raw` has no counters, and `all` loses columns with equal names. A subquery renames them: `id`, `id:1`.
      raw: async () => {
        counts.roundTrips += 1;
        const result = await prepare().all<Record<string, unknown>>();
        add(result);
        return result.results.map((row) => Object.values(row));
      },
    } as unknown as Counted;
  };

  const prepare = (text: string) => {
    const distinct = /^\s*select\b/i.test(text) ? `select * from (${text})` : text;
    return wrap(binding.prepare(text), () => binding.prepare(distinct));
  };
  const batch = async (statements: Counted[]) => {
    counts.roundTrips += 1;
    const results = await binding.batch(statements.map((statement) => statement[inner]));
    results.forEach(add);
    return results;
  };
  const database = {
    prepare,
    batch,
    exec: forbidden,
    dump: forbidden,
  };
  return { counts, database: database as unknown as D1Database };
}

const forbidden = () => {
  throw new Error('not counted');
};
