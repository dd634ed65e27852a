import type { BoundStatement } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { migrate } from '../src/platform/server/migrations.ts';
import { type OpenDatabase, openSqlite } from '../src/platform/server/open-sqlite.ts';
import type { Faults } from './faults.ts';
import { watchFrozenStudies } from './frozen-writes.ts';
import { never, type World } from './world.ts';

export interface SimulatedDatabase extends Pick<OpenDatabase, 'db' | 'close'> {
  /** The simulator's own queries: without faults, in no time, not counted. */
  query(sql: string, ...args: (string | number | null)[]): Promise<Record<string, string | number | null>[]>;
  counts: { trips: number; statements: number; writes: number; refused: number; longestQueueMs: number };
}

export interface DatabaseModel {
  /** How long each batch, statement and row of an answer keeps the database busy, which runs one batch at a time. Absent: no time. */
  busyMs?: { batch: number; statement: number; row: number };
  /** Longer waits are refused. */
  maxQueueMs?: number;
  latencyMs?: number;
  /** While true, nothing takes time. */
  instant?: () => boolean;
}

/** The result of the migrations and the watch, since applying them would take a sixth of a simulation. */
let schema: Promise<string> | undefined;

async function readSchema(): Promise<string> {
  const { client, close } = await openSqlite(':memory:');
  await migrate(client);
  await client.executeMultiple(watchFrozenStudies);
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
  const { client, close } = await openSqlite(':memory:');
  schema ??= readSchema();
  await client.executeMultiple(await schema);
  const counts = { trips: 0, statements: 0, writes: 0, refused: 0, longestQueueMs: 0 };
  let busyUntil = 0;
  let changes = 0;

  /** Whether rows were changed since the last call: a turn that finds nothing due is no write. */
  async function hasChanged(): Promise<boolean> {
    const before = changes;
    changes = Number((await client.execute('select total_changes()')).rows[0]?.[0]);
    return changes !== before;
  }

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
      busyUntil = Math.max(busyUntil, world.at()) + busyMs.batch + size * busyMs.statement;
      await world.wait(busyUntil - world.at());
    }
    if (writes && crash('before-commit')) return never();
    const result = await work();
    if (writes && (await hasChanged())) counts.writes++;
    if (busyMs && !instant()) {
      busyUntil = Math.max(busyUntil, world.at()) + rowsIn(result) * busyMs.row;
      await world.wait(busyUntil - world.at());
    }
    if (writes && crash('after-commit')) return never();
    if (fault?.is === 'lost-after-commit' && writes) refuse('Network connection lost.');
    return result;
  }

  // The client itself stays as it is: while a batch is long, it calls itself.
  const db = openDatabase({
    run: async (statement) => (await trip(1, !isRead(statement), () => client.execute(statement))).rows,
    batch: (statements) => trip(statements.length, !statements.every(isRead), () => client.batch(statements)),
  });

  return { db, counts, close, query: (sql, ...args) => client.query(sql, args) as never };
}

/** The rows that a statement, or each of a batch, answered. */
const rowsIn = (result: unknown): number =>
  [result].flat().reduce<number>((sum, one) => sum + ((one as { rows?: unknown[] })?.rows?.length ?? 0), 0);

const isRead = ({ sql }: BoundStatement) => /^\s*select\b/i.test(sql);
