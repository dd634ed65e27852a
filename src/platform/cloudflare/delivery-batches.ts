import type { BoundStatement } from '../../db/database.ts';
import { bytesOf, isRead } from '../../db/group-commit.ts';
import { joinBatches } from '../../db/join-batches.ts';

/** Longest wait for others to join. A single delivery waits this long in vain. */
const maxWaitMs = 5;

/**
 * Deliveries that wait to begin: further ones are refused, and their alarms ring again later. About 10 KB of memory each.
 */
const maxWaitingReads = 1_000;

/**
 * Joins the batches of many users' deliveries: one of reads and one of writes are under way at a time. Reads that wait for
 * their turn keep few pushes unrecorded.
 */
export function joinDeliveries<S extends BoundStatement, R>(
  run: (statements: readonly S[]) => Promise<R[]>,
): (statements: readonly S[]) => Promise<R[]> {
  const reads = joinBatches(run, { maxWaitMs, maxConcurrent: 1, maxWaiting: maxWaitingReads });
  const writes = joinBatches(run, { maxWaitMs, maxConcurrent: 1 });
  return (statements) => (statements.every(isRead) ? reads : writes)(statements, bytesOf(statements));
}
