import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';

/** When each answer of a response got its present value (epoch ms), by item; not of those that the first revision has. */
export type ValueTimes = ReadonlyMap<string, number>;

interface Row {
  id: string;
  number: number;
  at: number;
  items: Record<string, string | null>;
  since: number | null;
}

/** Bytes of revisions that one statement reads. */
const sliceBytes = 250_000;

/** The revisions of responses behind a place, at least one. Both sides of the join come in order, so that nothing is sorted. */
const revisions = `select v.response_id as id, v.number, v.at, v.items, v.since
  from (select id, number, sum(bytes) over (rows unbounded preceding) - bytes as before from (
      select v.response_id as id, v.number, octet_length(v.items) + 100 as bytes
      from json_each(:responses) asked cross join response_revision v
        on v.response_id = asked.value and v.number > iif(asked.value = :id, :number, 0) limit 1000)) measured
  cross join response_revision v on v.response_id = measured.id and v.number = measured.number
  where measured.before < ${sliceBytes}`;

/**
 * Walks through the revisions of responses, a slice at a time: others have a turn between two. A value that an answer had
 * before, and has again, is that of the later time.
 */
export async function readValueTimes(
  { db }: Pick<Context, 'db'>,
  responses: readonly string[],
): Promise<Map<string, ValueTimes>> {
  const times = new Map<string, Map<string, number>>();
  const values = new Map<string, string>();
  let [id, number] = ['', 0];
  for (let rest = responses.toSorted(); rest.length > 0; ) {
    const asked = { responses: JSON.stringify(rest), id, number };
    const rows = await query<Row>(db, revisions, asked, { items: JSON.parse });
    for (const row of rows) {
      if (row.id !== id) values.clear();
      const own = times.get(row.id) ?? new Map<string, number>();
      times.set(row.id, own);
      follow(row, values, own);
      [id, number] = [row.id, row.number];
    }
    if (rows.length === 0) break;
    rest = rest.filter((one) => one >= id);
    await breathe();
  }
  return times;
}

function follow({ items, since, at, number }: Row, values: Map<string, string>, times: Map<string, number>) {
  if (since === null) for (const item of values.keys()) if (!Object.hasOwn(items, item)) values.delete(item);
  for (const [item, value] of Object.entries(items)) {
    if (values.get(item) === value) continue;
    if (value === null) values.delete(item);
    else values.set(item, value);
    if (number > 1) times.set(item, at);
  }
}
