import type { D1Database } from '@cloudflare/workers-types';
import type { DeliveryConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { retry } from '../../retry.ts';
import type { Bindings } from './bindings.ts';
import { openD1 } from './d1.ts';
import type { BoundStatement, Rows } from './delivery-batches.ts';

/** Short: the user's object itself retries what takes longer. */
const resetRetry = { baseMs: 100, maxMs: 1_000, maxAttempts: 3, isRetryable: wasReset };

/** The database of each user's deliveries: D1 through one of the delivery objects, or by itself if there are none. */
export function createDeliveryDatabases(
  env: Bindings,
  db: Database,
  { objects, location }: DeliveryConfig,
): (user: string) => Database {
  if (objects === 0) return () => db;
  const databases = Array.from({ length: objects }, (_, n) => openThrough(env, n, location));
  return (user) => databases[Number.parseInt(user.slice(-8), 16) % objects] ?? db;
}

/** D1, each batch through delivery object `n`. Single statements go to it directly. */
function openThrough({ DB, DELIVERY }: Bindings, n: number, location: DeliveryConfig['location']): Database {
  // An object stays where it was created, so another location means other objects.
  const name = location ? `${location}-${n}` : String(n);
  // A stub that has met a broken object stays broken.
  const object = () =>
    DELIVERY.get(DELIVERY.idFromName(name), location ? { locationHint: location } : undefined);
  const statement = (sql: string, values: unknown[]): Statement => ({
    sql,
    values,
    bind: (...given) => statement(sql, given),
    all: () =>
      DB.prepare(sql)
        .bind(...values)
        .all(),
    run: () =>
      DB.prepare(sql)
        .bind(...values)
        .run(),
    raw: () =>
      DB.prepare(sql)
        .bind(...values)
        .raw(),
  });
  const database = {
    prepare: (sql: string) => statement(sql, []),
    batch(statements: Statement[]): Promise<Rows[]> {
      const bound = statements.map(({ sql, values }) => ({ sql, values }));
      return retry(() => object().batch(bound), resetRetry);
    },
  };
  return openD1(database as unknown as D1Database);
}

/** What drizzle asks of a statement of D1, and no more. */
interface Statement extends BoundStatement {
  bind(...values: unknown[]): Statement;
  all(): Promise<unknown>;
  run(): Promise<unknown>;
  raw(): Promise<unknown>;
}

/** Not what is overloaded, which another attempt would make worse. Every batch of a delivery may happen twice. */
function wasReset(error: unknown): boolean {
  const { retryable, durableObjectReset, overloaded } = error as Record<string, unknown>;
  return (retryable === true || durableObjectReset === true) && overloaded !== true;
}
