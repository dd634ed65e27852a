import type { Context } from '../context.ts';
import { parseEntry } from './chain.ts';
import { readStored } from './pages.ts';
import { recordExport } from './recorded-downloads.ts';
import { shownTo } from './shown-entries.ts';
import { requireReader, type Sight, selectSight } from './sight.ts';

/** The actor's part of a log, for all pages of its export. @throws resource.not-found, action.forbidden */
export async function readSight({ db, actor }: Context, investigation: string): Promise<Sight> {
  const [sight] = await selectSight(db, investigation, actor);
  requireReader(sight);
  return sight;
}

/**
 * A page of the whole log, oldest first, as the reader sees it; `more` if entries after it remain. One round trip, and another
 * for readers who see a part of the study.
 */
export async function exportActivities(
  { db }: Context,
  investigation: string,
  { sight, after }: { sight: Sight; after: number | undefined },
) {
  const { rows, more } = await readStored(db, investigation, after, { named: true });
  const entries = rows.map((row) => {
    const entry = parseEntry(row);
    if (!entry) throw new Error(`The entry at position ${row.position} is damaged.`);
    return { ...entry, actorName: row.actorName, hash: row.hash };
  });
  return { entries: await shownTo(db, investigation, sight, entries), more };
}

/** Logs an export of the log, for owners, editors and monitors. The entry is in the export, and counts. @throws limit.reached */
export const recordLogExport = (context: Context, investigation: string) =>
  recordExport(context, investigation, {
    data: 'activity',
    format: 'ndjson',
    filter: {},
    count: ({ position }) => position + 1,
  });
