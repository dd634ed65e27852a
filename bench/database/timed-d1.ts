import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import pLimit from 'p-limit';
import type { BoundStatement } from '../../src/db/database.ts';
import type { Answer } from '../../src/platform/cloudflare/d1-driver.ts';
import { readMigrations } from '../../src/platform/server/migrations.ts';
import { statementsOf } from '../../tools/local-d1.ts';
import { cpuOf } from '../support/usage.ts';

/** A batch of this many statements, and the time that the database worked on it. */
export interface Timed {
  statements: number;
  ms: number;
}

/** A Worker that passes a batch on to a local D1. Its clock moves with each answer, so it times the database alone. */
const script = `export default {
  async fetch(request, { DB }) {
    const statements = await request.json();
    const bound = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
    try {
      const start = performance.now();
      const answers = await DB.batch(bound);
      return Response.json({ results: answers.map(({ results }) => ({ results })), ms: performance.now() - start });
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};`;

/** On disk, with the tables and these rows. */
export async function openTimedD1(folder: string, rows: readonly string[]) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: true,
      script,
      compatibilityDate: '2026-08-01',
      d1Databases: { DB: 'bench' },
      cf: false,
      resourcePersistencePath: folder,
    }),
  );
  const url = await miniflare.ready;
  const ask = async (statements: readonly BoundStatement[]) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(statements) });
    const result = (await answer.json()) as { results: Answer[]; ms: number; error?: string };
    if (result.error) throw new Error(result.error);
    return result;
  };
  // One at a time, as D1 executes them: otherwise a batch would also be charged for its wait.
  const inTurn = pLimit(1);
  const run = (statements: readonly BoundStatement[]) => inTurn(ask, statements);
  const migrations = (await readMigrations()).flatMap(statementsOf);
  for (const sql of [...migrations, ...rows]) await run([{ sql, values: [] }]);
  const cpuSeconds = () => {
    const all = cpuOf([process.pid]);
    const { user, system } = process.cpuUsage();
    return all === null ? null : all - (user + system) / 1_000_000;
  };
  return { run, cpuSeconds, dispose: () => miniflare.dispose() };
}
