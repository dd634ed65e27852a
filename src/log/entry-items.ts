import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { selectRole } from '../permissions/visibility.ts';
import { requireReader } from './list.ts';
import { activities, activityItems } from './schema.ts';

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

/**
 * The items that an entry changed: cases first, sorted by identifier, and one more than asked for if more follow. Two
 * round trips. @throws resource.not-found, action.forbidden
 */
export async function listActivityItems(
  { db, actor }: Context,
  investigation: string,
  activity: string,
  page: ItemPage,
) {
  const [[me], [entry]] = await db.batch([
    selectRole(db, investigation, actor),
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
  requireReader(me);
  if (!entry) throw notFound('entry that changed items');
  const stored = await selectRows(db, investigation, entry.position, page);
  const named = kinds.map((kind) => ({ kind, ids: entry[kind].toSorted() }));
  const items = [...named, ...stored].flatMap(({ kind, ids }) => ids.map((id) => ({ kind, id })));
  const { after, limit } = page;
  return items.filter(({ kind, id }) => !after || `${kind}${id}` > after.join('')).slice(0, limit + 1);
}

/** Rows from the one that contains `after` on, enough for a page. */
function selectRows(db: Database, investigation: string, position: number, { limit, after }: ItemPage) {
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
    .limit(Math.ceil(limit / rowItems) + 3);
}
