import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { activities, activityItems } from './schema.ts';
import { isPartial, requireReader, type Sight, selectSeen, selectSight } from './sight.ts';

/** Identifiers by kind, each list sorted. */
export interface ItemIds {
  cases: string[];
  responses: string[];
}

type Kind = keyof ItemIds;
export const kinds = ['cases', 'responses'] as const satisfies Kind[];

/** Items per row, and rows per parameter: 700,000 characters. */
const rowItems = 1_000;
const parameterRows = 20;

/** Identifiers of items, by the row that stores them. */
export const slicesOf = (ids: ItemIds) =>
  kinds.flatMap((kind) =>
    chunks(ids[kind], rowItems).map((list) => ({ kind, first: list[0] ?? '', ids: list })),
  );

/** Stores the items of an entry that does not name them itself. */
export function insertActivityItems(db: Database, investigation: string, position: number, ids: ItemIds) {
  return chunks(slicesOf(ids), parameterRows).map((some) =>
    db.insert(activityItems).select(
      sql`select ${investigation}, ${position}, value ->> 'kind', value ->> 'first', value -> 'ids'
        from json_each(${JSON.stringify(some)}) where true`,
    ),
  );
}

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

export interface ItemPage {
  limit: number;
  /** The last item of the previous page. */
  after?: readonly [Kind, string] | undefined;
}

/** Rows of items that a page looks at for a reader of a part of the study, who may see few of them. */
const maxLooked = 5;

/**
 * The items that an entry changed, as far as the actor sees them: cases first, sorted by identifier, and one more than asked
 * for if more follow; or the place at which the search ended. Two round trips, and another for readers of a part of the study.
 * @throws resource.not-found, action.forbidden
 */
export async function listActivityItems(
  { db, actor }: Context,
  investigation: string,
  activity: string,
  page: ItemPage,
): Promise<{ items: Item[]; end?: readonly [Kind, string] | undefined }> {
  const [[sight], [entry]] = await db.batch([
    selectSight(db, investigation, actor),
    db
      .select({ position: activities.position, cases: activities.cases, responses: activities.responses })
      .from(activities)
      .where(
        and(
          eq(activities.id, activity),
          eq(activities.investigationId, investigation),
          // The condition of the index.
          sql`action in ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted')`,
        ),
      ),
  ]);
  requireReader(sight);
  if (!entry) throw notFound('entry that changed items');
  const isLimited = isPartial(sight);
  const most = isLimited ? maxLooked + 1 : Math.ceil(page.limit / rowItems) + 3;
  const stored = await selectRows(db, investigation, entry.position, { ...page, most });
  // The last of the rows tells only where the next page begins.
  const next = isLimited && stored.length === most ? stored.pop() : undefined;
  const last = stored.at(-1);
  const named = kinds.map((kind) => ({ kind, ids: entry[kind].toSorted() }));
  const listed = [...named, ...stored].flatMap(({ kind, ids }) => ids.map((id) => ({ kind, id })));
  const { after, limit } = page;
  const rest = listed.filter(({ kind, id }) => !after || `${kind}${id}` > after.join(''));
  const items = isLimited ? await seenOf(db, investigation, sight, rest) : rest;
  return { items: items.slice(0, limit + 1), end: last && next && placeBetween(last, next) };
}

interface Item {
  kind: Kind;
  id: string;
}

interface Row {
  kind: Kind;
  ids: string[];
}

/** A place between two rows, from which neither is found out. */
function placeBetween(last: Row, next: Row): readonly [Kind, string] {
  const [from = '', to = ''] = [last.ids.at(-1), next.ids[0]];
  if (last.kind !== next.kind) return [last.kind, 'f'.repeat(from.length)];
  const middle = (BigInt(`0x${from}`) + BigInt(`0x${to}`)) / 2n;
  return [last.kind, middle.toString(16).padStart(from.length, '0')];
}

/** Those of the items that the reader sees. */
async function seenOf(db: Database, investigation: string, { actor }: Sight, items: Item[]): Promise<Item[]> {
  const [first, second] = kinds.map((kind) => {
    const listed = items.filter((item) => item.kind === kind).map(({ id }) => id);
    return selectSeen(db, kind, { investigation, actor, listed });
  });
  if (!first || !second) return [];
  const seen = new Set((await db.batch([first, second])).flat().flatMap(({ ids }) => ids));
  return items.filter(({ id }) => seen.has(id));
}

/** Rows from the one that contains `after` on, enough for a page. */
function selectRows(
  db: Database,
  investigation: string,
  position: number,
  { after, most }: Pick<ItemPage, 'after'> & { most: number },
) {
  const mine = sql`i.investigation_id = ${investigation} and i.position = ${position}`;
  const [kind, id] = after ?? [];
  const start = sql`coalesce((select i.first from activity_item i
    where ${mine} and i.kind = ${sql.raw(`'${kind}'`)} and i.first <= ${id} order by i.first desc limit 1), '')`;
  return db
    .select({
      kind: sql<Kind>`i.kind`.as('kind'),
      ids: sql<string>`i.ids`.mapWith((text: string) => JSON.parse(text) as string[]).as('ids'),
    })
    .from(sql`activity_item i`)
    .where(and(mine, after && sql`(i.kind, i.first) >= (${kind}, ${start})`))
    .orderBy(sql`i.kind`, sql`i.first`)
    .limit(most);
}
