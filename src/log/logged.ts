import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Context } from '../context.ts';
import {
  appendActivity,
  type ChainedEntry,
  chainEntry,
  headOf,
  type NewActivity,
  selectHead,
  selectHeadOf,
  selectSalted,
  withOptimisticRetry,
} from './activities.ts';
import type { Head } from './chain.ts';

type Statements = readonly BatchItem<'sqlite'>[];
export type RowsOf<S extends Statements> = { [K in keyof S]: S[K]['_']['result'] };

/** The entry of the actor's change. */
type Entry = Omit<NewActivity, 'actor'>;

/** Appends the entry, in one batch with the statements of the change. Resolves with the rows of these. */
type Write = <const S extends Statements>(
  entry: Entry,
  statements: S | ((chained: ChainedEntry) => S),
) => Promise<RowsOf<S>>;

/**
 * A change of a study with its entry in the log: `read` is one round trip, beside the newest entry of the study's log; from its
 * rows `change` decides, and writes once, or not at all. Another entry that was appended meanwhile fails the write, and all
 * begins again, so that a logged change is always decided by the state that it changes.
 * @param study its identifier, or SQL where only that knows it
 * @throws limit.reached, database.overloaded
 */
export function logged<const S extends Statements, T>(
  context: Context,
  study: string | SQL,
  read: () => S,
  change: (rows: RowsOf<S>, write: Write, head: Head) => Promise<T>,
): Promise<T> {
  const { db, actor } = context;
  return withOptimisticRetry(async () => {
    const selected = typeof study === 'string' ? selectHead(db, study) : selectHeadOf(db, study);
    const [newest, [salted], ...rows] = await db.batch([
      selected,
      selectSalted(db, study),
      ...(read() as readonly BatchItem<'sqlite'>[]),
    ] as [typeof selected, ReturnType<typeof selectSalted>, ...BatchItem<'sqlite'>[]]);
    const write: Write = async (entry, statements) => {
      const chained = await chainEntry(
        headOf(newest),
        { ...entry, actor, salted: salted !== undefined },
        context,
      );
      const others = typeof statements === 'function' ? statements(chained) : statements;
      const [, ...written] = await db.batch([appendActivity(db, chained), ...others]);
      return written as never;
    };
    return change(rows as never, write, headOf(newest));
  });
}
