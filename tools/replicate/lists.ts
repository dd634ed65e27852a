import type { DatabaseSync } from 'node:sqlite';
import { type Client, pages } from '../../client/client.ts';
import { inTransaction } from '../../examples/replicate.ts';

/** The lists of a study that are in no feed of changes. */
const lists = { occurrences: 'occurrences', codebook: 'items' } as const;
export type ListName = keyof typeof lists;

/** Rows of a list as the API shows them, in its order: `select body ->> '$.dueAt' from listed where list = 'occurrences'`. */
export function openLists(copy: DatabaseSync): void {
  copy.exec(`create table if not exists listed (study text, list text, position integer, body text,
    primary key (study, list, position)) without rowid`);
}

/**
 * Reads the settled occurrences and the codebook of a study anew, so that the copy has what the service has. A list is
 * replaced as a whole, after its last page. Returns the number of rows of each. @throws ProblemError
 */
export async function keepLists(client: Client, study: string, copy: DatabaseSync) {
  openLists(copy);
  const counts = { occurrences: 0, codebook: 0 };
  for (const list of Object.keys(lists) as ListName[])
    counts[list] = await keepList(client, study, copy, list);
  return counts;
}

async function keepList(client: Client, study: string, copy: DatabaseSync, list: ListName): Promise<number> {
  // Pages wait in a table of this connection: none of them is in memory, and readers see none before the last.
  copy.exec('create temp table if not exists arriving (position integer primary key, body text)');
  copy.exec('delete from arriving');
  const put = copy.prepare('insert into arriving values (?, ?)');
  let count = 0;
  const ask = (cursor?: string) => {
    const query = new URLSearchParams({ limit: '1000', ...(cursor !== undefined && { cursor }) });
    return client.fetch(`/investigation/${study}/${list}?${query}`) as Promise<{ json(): Promise<Page> }>;
  };
  for await (const page of pages(ask))
    for (const row of page[lists[list]] ?? []) put.run(count++, JSON.stringify(row));
  inTransaction(copy, () => {
    copy.prepare('delete from listed where study = ? and list = ?').run(study, list);
    copy
      .prepare('insert into listed select ?, ?, position, body from arriving order by position')
      .run(study, list);
  });
  return count;
}

type Page = { [name in (typeof lists)[ListName]]?: object[] } & { next?: string };
