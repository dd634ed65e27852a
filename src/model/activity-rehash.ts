import { and, asc, eq, gte, isNotNull, sql } from 'drizzle-orm';
import { isUniqueViolation } from '../db/errors.ts';
import { activities } from '../db/schema/activities.ts';
import { jobRuns } from '../db/schema/operations.ts';
import { appendActivity, chainEntry, service } from './activities.ts';
import {
  chainedHash,
  type Entry,
  follow,
  formula,
  genesis,
  parseEntry,
  type StoredEntry,
} from './activity-chain.ts';
import { readStored } from './activity-pages.ts';
import type { Context } from './context.ts';

type Rehashing = Pick<Context, 'db' | 'now'>;

/** How far the new hashes of one study's log are: every entry up to `position` has one in `rehashed`. */
interface Progress {
  investigation: string;
  /** The first entry of the old formula. */
  from: number;
  position: number;
  before: string;
  after: string;
  /** The first entry that does not fit the chain as it was. */
  brokenAt: number | null;
}

const job = 'rehash';

/**
 * Rehashes one slice, by the formula that anyone can compute, of the entries that an older version wrote. New hashes
 * are kept beside the old ones until the log's end is reached; then all take effect in one transaction, together with an
 * entry that says so and names the old head. Whoever appends an entry meanwhile makes that transaction fail, and the next
 * slice takes their entry in. Null: nothing is left to do.
 */
export async function rehashSlice(context: Rehashing): Promise<'going-on' | { rehashed: string } | null> {
  const { db } = context;
  const { progress, saved } = await readProgress(context);
  if (!progress) return null;
  const { rows, more } = await readStored(db, progress.investigation, progress.position || undefined);
  const next = await rehash(progress, rows);
  if (rows.length > 0 && !(await saveSlice(context, next, saved))) return 'going-on';
  if (more) return 'going-on';
  return (await swap(context, next.progress)) ? { rehashed: progress.investigation } : 'going-on';
}

/** One round trip; the beginning of the next log when none is under way, and null when none is left. */
async function readProgress({ db, now }: Rehashing) {
  const old = sql`${activities.formula} = ${sql.raw(String(formula.first))}`;
  const [, [run], [first]] = await db.batch([
    db.insert(jobRuns).values({ name: job, ranAt: now }).onConflictDoNothing(),
    db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, job)),
    db
      .select({
        investigation: activities.investigationId,
        position: activities.position,
        previous: sql<string | null>`(select p.hash from activity p
          where p.investigation_id = activity.investigation_id and p.position = activity.position - 1)`.as(
          'previous',
        ),
      })
      .from(activities)
      .where(old)
      .orderBy(asc(activities.investigationId), asc(activities.position))
      .limit(1),
  ]);
  const saved = run?.after ?? '';
  const earlier = saved === '' ? undefined : (JSON.parse(saved) as Progress);
  if (!first) return { progress: null, saved };
  if (earlier?.investigation === first.investigation && earlier.from === first.position)
    return { progress: earlier, saved };
  const hash = first.previous ?? genesis.hash;
  const { investigation, position } = first;
  const progress: Progress = {
    investigation,
    from: position,
    position: position - 1,
    before: hash,
    after: hash,
    brokenAt: null,
  };
  return { progress, saved };
}

async function rehash(start: Progress, rows: StoredEntry[]) {
  let progress = start;
  const hashes: [number, string][] = [];
  for (const row of rows) {
    const { position, before, brokenAt } = progress;
    const fits = (await follow({ position, hash: before }, row)) !== undefined;
    const after = await chainedHash(progress.after, parseEntry(row) ?? unreadable(row));
    hashes.push([row.position, after]);
    progress = {
      ...progress,
      position: row.position,
      before: row.hash,
      after,
      brokenAt: brokenAt ?? (fits ? null : row.position),
    };
  }
  return { progress, hashes };
}

/** What cannot be read does not fit the new chain either. */
const unreadable = (row: StoredEntry): Entry => ({
  ...row,
  cases: [],
  responses: [],
  details: null,
  signature: null,
});

type Rehashed = Awaited<ReturnType<typeof rehash>>;

/** Whether this run still has the job: another one may have saved a slice since. */
async function saveSlice({ db, now }: Rehashing, { progress, hashes }: Rehashed, saved: string) {
  const isOurs = sql`(select ${jobRuns.after} from ${jobRuns} where ${jobRuns.name} = ${job}) = ${saved}`;
  const [, owned] = await db.batch([
    db
      .update(activities)
      .set({ rehashed: sql`j.value ->> 1` })
      .from(sql`json_each(${JSON.stringify(hashes)}) j`)
      .where(
        and(
          eq(activities.investigationId, progress.investigation),
          eq(activities.position, sql`j.value ->> 0`),
          isOurs,
        ),
      ),
    db
      .update(jobRuns)
      .set({ ranAt: now, after: JSON.stringify(progress) })
      .where(and(eq(jobRuns.name, job), isOurs))
      .returning({ name: jobRuns.name }),
  ]);
  return owned.length > 0;
}

/** False: somebody else appended an entry, or finished this job. */
async function swap(
  { db, now }: Rehashing,
  { investigation, from, position, before, after, brokenAt }: Progress,
) {
  const details = {
    from,
    to: position,
    before: { hash: before },
    after: { hash: after },
    ...(brokenAt !== null && { brokenAt }),
  };
  const limits = { activities: Infinity };
  const entry = { investigation, actor: service.id, action: 'log.rehashed' as const, details };
  try {
    await db.batch([
      appendActivity(db, await chainEntry({ position, hash: after }, entry, { now, limits })),
      db
        .update(activities)
        .set({ hash: sql`rehashed`, rehashed: null, formula: formula.canonical })
        .where(
          and(
            eq(activities.investigationId, investigation),
            gte(activities.position, from),
            isNotNull(activities.rehashed),
          ),
        ),
      db.update(jobRuns).set({ ranAt: now, after: '' }).where(eq(jobRuns.name, job)),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'activity')) return false;
    throw error;
  }
}
