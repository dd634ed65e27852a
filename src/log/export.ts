import type { Context } from '../context.ts';
import { selectRole } from '../permissions/visibility.ts';
import { parseEntry } from './chain.ts';
import { requireReader } from './list.ts';
import { readStored } from './pages.ts';
import { recordExport } from './recorded-downloads.ts';

/**
 * A page of the whole log, oldest first, for owners, editors and monitors; `more` if entries after it remain. One round trip,
 * except for the first page. @throws resource.not-found, action.forbidden
 */
export async function exportActivities(
  { db, actor }: Context,
  investigation: string,
  after: number | undefined,
) {
  if (after === undefined) {
    const [me] = await selectRole(db, investigation, actor);
    requireReader(me);
  }
  const { rows, more } = await readStored(db, investigation, after, { named: true });
  const entries = rows.map((row) => {
    const entry = parseEntry(row);
    if (!entry) throw new Error(`The entry at position ${row.position} is damaged.`);
    return { ...entry, actorName: row.actorName, hash: row.hash };
  });
  return { entries, more };
}

/** Logs an export of the log, for owners, editors and monitors. The entry is in the export, and counts. @throws limit.reached */
export const recordLogExport = (context: Context, investigation: string) =>
  recordExport(context, investigation, {
    data: 'activity',
    format: 'ndjson',
    filter: {},
    count: ({ position }) => position + 1,
  });
