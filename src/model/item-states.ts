import { and, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isListed, listed } from '../db/json.ts';
import { cases, members, type Role, responses } from '../db/schema.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { type Fault, forbidden, notFound, Problem } from '../errors.ts';
import {
  type Action,
  appendActivity,
  chainEntry,
  headOf,
  selectHead,
  withOptimisticRetry,
} from './activities.ts';
import { asMemberOf, mayEdit, mayViewCase, mayViewResponse, selectRole } from './visibility.ts';

/** What a request does to the items that it lists. */
export type Transition = 'lock' | 'unlock' | 'archive' | 'unarchive' | 'delete' | 'undelete';

type Column = 'lockedAt' | 'archivedAt' | 'deletedAt';

const transitions: Record<Transition, { column: Column; set: boolean; action: Action }> = {
  lock: { column: 'lockedAt', set: true, action: 'items.locked' },
  unlock: { column: 'lockedAt', set: false, action: 'items.unlocked' },
  archive: { column: 'archivedAt', set: true, action: 'items.archived' },
  unarchive: { column: 'archivedAt', set: false, action: 'items.restored' },
  delete: { column: 'deletedAt', set: true, action: 'items.deleted' },
  undelete: { column: 'deletedAt', set: false, action: 'items.restored' },
};

/** Deleted items can be brought back for so long; then they are purged. */
export const deletedRetention = 30 * 24 * 3600 * 1000;

export interface ItemsRequest {
  cases: { identifier: string }[];
  responses: { identifier: string }[];
  reason?: string | undefined;
}

interface Item {
  id: string;
  owner: string;
  lockedAt: number | null;
  archivedAt: number | null;
  deletedAt: number | null;
}

/**
 * Locks, archives or deletes items, or undoes it: all of them or none, with one activity entry that names
 * only what changed. What is so already keeps its time and is not logged. Between reading and writing no
 * item can be locked, deleted or brought back: that writes an entry, and then this one does not fit the chain,
 * its batch writes nothing, and `withOptimisticRetry` looks again.
 * @throws resource.not-found, items.not-found, action.forbidden, item.locked
 */
export async function changeItems(
  db: Database,
  { actor, investigation, transition }: { actor: string; investigation: string; transition: Transition },
  request: ItemsRequest,
  now: number,
): Promise<void> {
  const { column, set, action } = transitions[transition];
  const ids = { cases: unique(request.cases), responses: unique(request.responses) };
  const who = { actor, investigation };
  const readCases = forSome(ids.cases, (listed, single) => selectCases(db, { ...who, listed }, single));
  const readResponses = forSome(ids.responses, (listed, single) =>
    selectResponses(db, { ...who, listed }, single),
  );
  await withOptimisticRetry({ outbox: [] }, async () => {
    const [[me], head, ...items] = await db.batch([
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
      ...readCases,
      ...readResponses,
    ]);
    if (!me) throw notFound('investigation');
    if (transition === 'undelete' && me.role !== 'owner')
      throw forbidden('Only owners bring back deleted items.');
    // What is deleted is there only for whoever deletes it again, or brings it back.
    const visible = (item: Item) =>
      item.deletedAt === null || (column === 'deletedAt' && now - item.deletedAt <= deletedRetention);
    const found = {
      cases: byId(itemsIn(items.slice(0, readCases.length)).filter(visible)),
      responses: byId(itemsIn(items.slice(readCases.length)).filter(visible)),
    };
    refuseUnknown(request, found);
    if (column !== 'lockedAt') {
      refuseOthers(me.role, actor, [...found.cases.values(), ...found.responses.values()]);
      refuseLocked(request, found);
    }
    const changes = (item: Item) => (item[column] === null) === set;
    const changed = {
      cases: ids.cases.filter((id) => changes(found.cases.get(id) as Item)),
      responses: ids.responses.filter((id) => changes(found.responses.get(id) as Item)),
    };
    if (changed.cases.length + changed.responses.length === 0) return;

    const at = set ? now : null;
    await db.batch([
      appendActivity(
        db,
        await chainEntry(
          headOf(head),
          { investigation, actor, action, ...changed, reason: request.reason },
          now,
        ),
      ),
      ...forSome(changed.cases, (listed, single) => updateCases(db, { at, listed }, { column, single })),
      ...forSome(changed.responses, (listed, single) =>
        updateResponses(db, { at, listed }, { column, single }),
      ),
    ]);
  });
}

/** Of no items, no statement. */
const forSome = <T>(ids: string[], statementOf: (listed: string, single: boolean) => T): T[] =>
  ids.length > 0 ? [statementOf(listed(ids), ids.length === 1)] : [];

const byId = (items: Item[]) => new Map(items.map((item) => [item.id, item]));

const itemsIn = (answers: { items: Item[] }[][]) => answers.flat().flatMap(({ items }) => items);

const unique = (list: { identifier: string }[]) => [...new Set(list.map((item) => item.identifier))];

/** All in one row: what a row costs on its way out of the database is more than what is in these. */
const asItems = (
  table: typeof cases | typeof responses,
  owner: typeof cases.creatorId | typeof responses.responderId,
) =>
  sql<string>`json_group_array(json_object('id', ${table.id}, 'owner', ${owner}, 'lockedAt', ${table.lockedAt},
    'archivedAt', ${table.archivedAt}, 'deletedAt', ${table.deletedAt}))`.mapWith(
    (text: string) => JSON.parse(text) as Item[],
  );

type Listed = Placeholders<{ actor: string; investigation: string; listed: string }>;

const selectCases = statement((db, { actor, investigation, listed }: Listed, single: boolean) =>
  db
    .select({ items: asItems(cases, cases.creatorId).as('cases') })
    .from(cases)
    .innerJoin(members, asMemberOf(investigation, cases.investigationId, actor))
    .where(and(isListed(cases.id, listed, single), mayViewCase(db, actor))),
);

const selectResponses = statement((db, { actor, investigation, listed }: Listed, single: boolean) =>
  db
    .select({ items: asItems(responses, responses.responderId).as('responses') })
    .from(responses)
    .innerJoin(members, asMemberOf(investigation, responses.investigationId, actor))
    .where(and(isListed(responses.id, listed, single), mayViewResponse(actor))),
);

const update = (table: typeof cases | typeof responses) =>
  statement(
    (
      db,
      { at, listed }: Placeholders<{ at: number | null; listed: string }>,
      { column, single }: { column: Column; single: boolean },
    ) =>
      db
        .update(table)
        .set({ [column]: sql`${at}`, stateRevision: sql`revision_id` })
        .where(isListed(table.id, listed, single)),
  );
const updateCases = update(cases);
const updateResponses = update(responses);

type Found = { cases: Map<string, Item>; responses: Map<string, Item> };

/** Points at each place in the request whose item fits the test. */
function pointers(
  request: ItemsRequest,
  found: Found,
  test: (item: Item | undefined) => boolean,
  detail: string,
) {
  return (['cases', 'responses'] as const).flatMap((list) =>
    request[list].flatMap(({ identifier }, n): Fault[] =>
      test(found[list].get(identifier)) ? [{ pointer: `/${list}/${n}/identifier`, detail }] : [],
    ),
  );
}

function refuseUnknown(request: ItemsRequest, found: Found) {
  const errors = pointers(
    request,
    found,
    (item) => !item,
    'Expected an item of this study that you may see.',
  );
  if (errors.length > 0)
    throw new Problem('items.not-found', 'Some items do not exist in this study, or you may not see them.', {
      errors,
    });
}

function refuseOthers(role: Role, actor: string, items: Item[]) {
  if (!items.every((item) => mayEdit(role, item.owner, actor)))
    throw forbidden('Responders archive and delete only what is theirs.');
}

function refuseLocked(request: ItemsRequest, found: Found) {
  const errors = pointers(request, found, (item) => item?.lockedAt != null, 'This item is locked.');
  if (errors.length > 0)
    throw new Problem('item.locked', 'Some items are locked: unlock them first.', { errors });
}
