import type { BoundStatement } from '../../src/db/database.ts';
import { compiledOnce } from '../../src/db/limit.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { type Answer, rowsOf } from '../../src/platform/cloudflare/d1-driver.ts';
import { joinTurns, turnsOf } from '../../src/platform/cloudflare/joined-turns.ts';
import type { Turning } from '../../src/reminders/deliver.ts';
import { deliver } from '../../src/reminders/jobs.ts';
import type { Push, Services } from '../../src/services.ts';
import { inFolder } from '../support/folders.ts';
import { ids, studyRows } from '../support/study-rows.ts';
import { alignedTable } from '../support/table.ts';
import { openTimedD1, type Timed } from './timed-d1.ts';

const dayMs = 86_400_000;
const due = Date.parse('2027-03-01T20:00:00.000Z');

export interface DatabaseResult {
  objects: number;
  deliveriesPerSecond: number;
  batches: number;
  statementsPerBatch: number;
  /** Share of the time in which the database was at work. */
  busy: number;
  /** Processor time of the runtime that has the database. On a busy machine it says more than the rest. Null without /proc. */
  cpuMs: number | null;
}

export interface DatabaseResults {
  people: number;
  runs: DatabaseResult[];
  /** Processor time per batch, and per statement of it. */
  batchMs: number;
  statementMs: number;
}

/**
 * Deliveries of people who are all due at once, without the time of pushes, through this many delivery objects to a local
 * D1: at which number it is saturated, and the time of a batch and a statement. 0: each delivery asks directly.
 */
export function measureDatabase({ people, objects }: { people: number; objects: readonly number[] }) {
  return inFolder(async (folder): Promise<DatabaseResults> => {
    const rows = studyRows({
      study: 0,
      members: people,
      responses: 0,
      reminders: { due, zone: 'Europe/Paris' },
      now: due - dayMs,
    });
    const d1 = await openTimedD1(folder, rows);
    try {
      const users = Array.from({ length: people }, (_, n) => ids.member(n));
      const runs: DatabaseResult[] = [];
      // The first run warms everything up.
      for (const [day, count] of [objects[0] ?? 0, ...objects].entries()) {
        const run = await runOnce(d1, users, count, due + day * dayMs);
        if (day > 0) runs.push(run);
      }
      return { people, runs, ...fit(runs) };
    } finally {
      await d1.dispose();
    }
  });
}

type TimedD1 = Awaited<ReturnType<typeof openTimedD1>>;

async function runOnce(
  { run, cpuSeconds }: TimedD1,
  users: readonly string[],
  objects: number,
  now: number,
): Promise<DatabaseResult> {
  const times: Timed[] = [];
  const timed = async (statements: readonly BoundStatement[]): Promise<Answer[]> => {
    const { results, ms } = await run(statements);
    times.push({ statements: statements.length, ms });
    return results;
  };
  const own = services(timed, now);
  const through = Array.from({ length: objects }, () => joinTurns(own.db, own.now));
  const before = cpuSeconds();
  const start = performance.now();
  await Promise.all(users.map((user, n) => deliver(servicesOf(own, user, through[n % objects]), user)));
  const seconds = (performance.now() - start) / 1000;
  const after = cpuSeconds();
  const statements = times.reduce((sum, one) => sum + one.statements, 0);
  return {
    objects,
    deliveriesPerSecond: users.length / seconds,
    batches: times.length,
    statementsPerBatch: statements / times.length,
    busy: times.reduce((sum, { ms }) => sum + ms, 0) / 1000 / seconds,
    cpuMs: before === null || after === null ? null : (after - before) * 1000,
  };
}

/** A user's turns go through a delivery object, if there is one. */
const servicesOf = (
  own: Services,
  user: string,
  object: ReturnType<typeof joinTurns> | undefined,
): Turning =>
  object
    ? {
        ...own,
        turns: turnsOf(user, () => ({
          claim: object.claim,
          settle: (record, users) => object.settle({ record, users }),
        })),
      }
    : own;

function services(
  batch: (statements: readonly BoundStatement[]) => Promise<Answer[]>,
  now: number,
): Services {
  const sent = ({ sql, values }: BoundStatement) => ({ sql: compiledOnce(sql), values });
  const send: Push['send'] = async () => ({ state: 'sent', messageId: 'message' });
  return {
    db: openDatabase({
      run: async (statement) => (await batch([sent(statement)])).flatMap((answer) => rowsOf(answer).rows),
      batch: async (statements) => (await batch(statements.map(sent))).map(rowsOf),
    }),
    push: { send } as Push,
    alarms: { arm: async () => {}, deliver: async () => {} },
    defer: () => {},
    now: () => now,
    pushesPerDay: Infinity,
    records: { refused: false },
    log: () => {},
  };
}

/** Least squares: the runs differ in the number of their batches, but hardly in that of their statements. */
function fit(runs: readonly DatabaseResult[]) {
  const points = runs.map(({ batches, statementsPerBatch, cpuMs }) => {
    const statements = batches * statementsPerBatch;
    return { x: batches / statements, y: (cpuMs ?? Number.NaN) / statements };
  });
  const mean = (value: (one: (typeof points)[number]) => number) =>
    points.reduce((sum, one) => sum + value(one), 0) / points.length;
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)];
  const batchMs = mean((one) => (one.x - x) * (one.y - y)) / mean((one) => (one.x - x) ** 2);
  return { batchMs, statementMs: y - batchMs * x };
}

export function databaseTable({ people, runs, batchMs, statementMs }: DatabaseResults): string {
  const head = [
    'objects',
    'deliveries/s',
    'batches',
    'statements a batch',
    'database busy',
    'CPU ms a delivery',
  ];
  const rows = runs.map((run) => [
    run.objects === 0 ? '0 (each by itself)' : String(run.objects),
    run.deliveriesPerSecond.toFixed(0),
    String(run.batches),
    run.statementsPerBatch.toFixed(0),
    `${(100 * run.busy).toFixed(0)}%`,
    run.cpuMs === null ? '-' : (run.cpuMs / people).toFixed(2),
  ]);
  return [
    `${people} people due at once, over a local D1`,
    alignedTable(head, rows),
    `Processor time of a batch: ${batchMs.toFixed(2)} ms, and ${statementMs.toFixed(3)} ms for each statement.`,
  ].join('\n');
}
