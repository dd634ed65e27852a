import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rootMessage } from '../errors.ts';
import { jobRuns } from '../operations/schema.ts';
import type { Services, Writes } from '../services.ts';

type Proving = Pick<Services, 'db' | 'writes' | 'now' | 'log'>;

/** Those of a process that has just started. */
export const newWrites = (): Writes => ({ provedAt: null, refused: false });

/**
 * Whether the database takes the record of a delivery: by the last proof, if that is younger than `maxAgeMs`, or else by a
 * write that leaves nothing behind. Never throws.
 */
export async function canRecord(services: Proving, maxAgeMs = Infinity): Promise<boolean> {
  const { db, writes, now, log } = services;
  if (writes.provedAt !== null && now() - writes.provedAt < maxAgeMs) return true;
  try {
    await writeAndRemove(db);
  } catch (error) {
    if (!writes.refused) log({ event: 'writes.refused', level: 'error', error: rootMessage(error) });
    writes.provedAt = null;
    writes.refused = true;
    return false;
  }
  noteWritten(services);
  return true;
}

/** A record that succeeded is a proof. */
export function noteWritten({ writes, now, log }: Pick<Services, 'writes' | 'now' | 'log'>): void {
  if (writes.refused) log({ event: 'writes.taken' });
  writes.provedAt = now();
  writes.refused = false;
}

/** After a record that failed the next push needs a proof. */
export function noteUnwritten({ writes }: Pick<Services, 'writes'>): void {
  writes.provedAt = null;
}

/** Bytes: eight pages. A full database still takes changes in place, but no record, which needs new pages. */
const proofBytes = 32_768;

/** One transaction, invisible to others. */
const writeAndRemove = (db: Database) =>
  db.batch([
    db
      .insert(jobRuns)
      .values({ name: 'proof', ranAt: 0, after: sql`hex(zeroblob(${sql.raw(String(proofBytes / 2))}))` })
      .onConflictDoUpdate({ target: jobRuns.name, set: { after: sql`excluded.after` } }),
    db.delete(jobRuns).where(eq(jobRuns.name, 'proof')),
  ]);
