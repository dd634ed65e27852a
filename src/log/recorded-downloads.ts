import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { userWithCode } from '../permissions/member-codes.ts';
import { selectRole } from '../permissions/visibility.ts';
import type { Head } from './chain.ts';
import { logged } from './logged.ts';

/** A download of a whole list, or of a whole log. */
export interface DataExport {
  data: 'responses' | 'set-aside' | 'cases' | 'compliance' | 'occurrences' | 'activity' | 'changes';
  format: 'csv' | 'json' | 'ndjson';
  /** The filter as it was asked for. */
  filter: Record<string, unknown>;
  /** The code of a filter. The entry names its person instead, because codes may change. */
  code?: string | undefined;
  /** The number of rows as the download begins; `head` is the newest entry before this one. */
  count: (head: Head) => number | Promise<number>;
}

/**
 * Logs a download by an owner or an editor as `data.exported`, before its first byte, so that what cannot be logged is not
 * served. Responders download what is their own, which is not logged. @throws limit.reached, database.overloaded
 */
export async function recordExport(context: Context, investigation: string, download: DataExport) {
  const { db, actor } = context;
  const { data, format, filter, code, count } = download;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      db.select({ user: userWithCode(investigation, code ?? '').as('coded_user') }).from(sql`(select 1)`),
    ] as const;
  await logged(context, investigation, read, async ([[me], [coded]], write, head) => {
    if (!me || me.role === 'responder') return;
    const asked = { ...given(filter), ...(code !== undefined && { codeOf: coded?.user ?? null }) };
    const details = { data, format, filter: asked, count: await count(head) };
    await write({ investigation, action: 'data.exported', details }, []);
  });
}

const given = (filter: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));

/** The most rows that one statement counts, so that the count of a large list holds up nobody. */
export const sliceRows = 20_000;

/** A slice of a list: the rows that were read, those of them that are in the list (all), and the sort key of the last one. */
export interface Slice<Key> {
  n: number;
  found?: number;
  last: Key;
}

/** The length of a list, slice by slice with others in between, once however often it is asked for. */
export function countInSlices<Key>(read: (after: Key | undefined) => Promise<Slice<Key>>) {
  let counted: Promise<number> | undefined;
  const count = async () => {
    let rows = 0;
    for (let after: Key | undefined; ; ) {
      const slice = await read(after);
      rows += slice.found ?? slice.n;
      if (slice.n < sliceRows) return rows;
      after = slice.last;
      await breathe();
    }
  };
  return () => {
    counted ??= count();
    return counted;
  };
}
