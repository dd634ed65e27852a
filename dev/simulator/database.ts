import { migrate } from '../../src/platform/server/migrations.ts';
import { type OpenDatabase, openSqlite } from '../../src/platform/server/open-sqlite.ts';
import type { Faults } from './faults.ts';
import { watchFrozenStudies, watchPendingRows, watchSettledRows } from './watches.ts';
import { never, type World } from './world.ts';

export interface SimulatedDatabase extends Pick<OpenDatabase, 'db' | 'close'> {
  /** The simulator's own queries: without faults, in no time, not counted. */
  query(sql: string, ...args: (string | number | null)[]): Promise<Record<string, string | number | null>[]>;
  counts: { trips: number; statements: number; refused: number; longestQueueMs: number };
  /** True once something was written since the last call. */
  written(): boolean;
}

export interface DatabaseModel {
  /** How long a batch of this many statements keeps the database busy, which runs one at a time. Absent: no time. */
  busyMs?: (statements: number) => number;
  /** Longer waits are refused. */
  maxQueueMs?: number;
  latencyMs?: number;
  /** While true, nothing takes time. */
  instant?: () => boolean;
}

/** The result of the migrations and the watches, since applying them would take a sixth of a simulation. */
let schema: Promise<string> | undefined;

async function readSchema(): Promise<string> {
  const { client, close } = await openSqlite(':memory:');
  await migrate(client);
  for (const watch of [watchSettledRows, watchPendingRows, watchFrozenStudies])
    await client.executeMultiple(watch);
  const statements = await client.query(
    `select sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'
      order by type = 'table' desc, rowid`,
  );
  close();
  return statements.map(({ sql }) => `${sql};\n`).join('');
}

/** An SQLite database in memory with D1's errors: overload, lost connections, timeouts, a limited rate. */
export async function openSimulatedDatabase(
  world: World,
  faults: Faults,
  crash: (point: 'before-commit' | 'after-commit') => boolean,
  { busyMs, maxQueueMs = 10_000, latencyMs = 0, instant = () => false }: DatabaseModel = {},
): Promise<SimulatedDatabase> {
  const { db, client, close } = await openSqlite(':memory:');
  schema ??= readSchema();
  await client.executeMultiple(await schema);
  const execute = client.execute.bind(client);
  const batch = client.batch.bind(client);
  const counts = { trips: 0, statements: 0, refused: 0, longestQueueMs: 0 };
  let busyUntil = 0;
  let written = false;

  /** One round trip of `size` statements: takes its time, and meets the active faults. */
  async function trip<T>(size: number, writes: boolean, work: () => Promise<T>): Promise<T> {
    if (world.task()?.dead) return never();
    counts.trips++;
    counts.statements += size;
    // A full disk stays full, whatever else goes wrong.
    const fault = faults.active('database', (one) => one.is === 'full') ?? faults.active('database');
    const refuse = (message: string) => {
      counts.refused++;
      throw new Error(`D1_ERROR: ${message}`);
    };
    const latency = fault?.is === 'slow' ? fault.ms : instant() ? 0 : latencyMs;
    if (latency > 0) await world.wait(latency);
    if (fault?.is === 'full' && writes) refuse('database or disk is full: SQLITE_FULL');
    if (fault?.is === 'overloaded') refuse('D1 DB is overloaded. Requests queued for too long.');
    if (fault?.is === 'lost-before-commit') refuse('Network connection lost.');
    if (fault?.is === 'timeout') {
      await world.wait(30_000);
      refuse('D1 DB storage operation exceeded timeout which caused object to be reset.');
    }
    if (busyMs && !instant()) {
      const queued = Math.max(0, busyUntil - world.at());
      counts.longestQueueMs = Math.max(counts.longestQueueMs, queued);
      if (queued > maxQueueMs) refuse('D1 DB is overloaded. Requests queued for too long.');
      busyUntil = Math.max(busyUntil, world.at()) + busyMs(size);
      await world.wait(busyUntil - world.at());
    }
    if (writes && crash('before-commit')) return never();
    const result = await work();
    written ||= writes;
    if (writes && crash('after-commit')) return never();
    if (fault?.is === 'lost-after-commit' && writes) refuse('Network connection lost.');
    return result;
  }

  client.execute = (statement) => trip(1, !isRead(statement), () => execute(statement));
  client.batch = (statements) => trip(statements.length, !statements.every(isRead), () => batch(statements));

  return {
    db,
    counts,
    close,
    query: (sql, ...args) => client.query.call({ execute }, sql, args) as never,
    written() {
      const before = written;
      written = false;
      return before;
    },
  };
}

const isRead = (statement: unknown) => {
  const sql = typeof statement === 'string' ? statement : (statement as { sql: string }).sql;
  return /^\s*select\b/i.test(sql);
};
