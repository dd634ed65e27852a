import type { DeliveryConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';
import { openDatabase } from '../../db/open-database.ts';
import { retry } from '../../retry.ts';
import type { Bindings } from './bindings.ts';
import { d1Driver, rowsOf } from './d1-driver.ts';

/** Short: the user's object itself retries longer faults. */
const resetRetry = { baseMs: 100, maxMs: 1_000, maxAttempts: 3, isRetryable: wasReset };

/** The database of each user's deliveries: D1 through one of the delivery objects, or directly if there are none. */
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
  // An object stays where it was created, so another location needs other objects.
  const name = location ? `${location}-${n}` : String(n);
  // A stub that has met a broken object stays broken.
  const object = () =>
    DELIVERY.get(DELIVERY.idFromName(name), location ? { locationHint: location } : undefined);
  const { run } = d1Driver(DB);
  return openDatabase({
    run,
    async batch(statements) {
      const sent = statements.map(({ sql, values }) => ({ sql: compiledOnce(sql), values: [...values] }));
      return (await retry(() => object().batch(sent), resetRetry)).map(rowsOf);
    },
  });
}

/** Overload is not retried, since another attempt would make it worse. Every batch of a delivery may run twice. */
function wasReset(error: unknown): boolean {
  const { retryable, durableObjectReset, overloaded } = error as Record<string, unknown>;
  return (retryable === true || durableObjectReset === true) && overloaded !== true;
}
