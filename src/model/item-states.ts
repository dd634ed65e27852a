import { and, sql } from 'drizzle-orm';
import { isListed, listed } from '../db/json.ts';
import { members, type Role } from '../db/schema/investigations.ts';
import { cases, responses } from '../db/schema/items.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { type Fault, forbidden, notFound, Problem } from '../errors.ts';
import {
  type Action,
  appendActivity,
  chainEntry,
  frozenSince,
  headOf,
  selectHead,
  withOptimisticRetry,
} from './activities.ts';
import type { Context } from './context.ts';
import { requireUnfrozen } from './edit-guards.ts';
import { requireUnlocker, type Signing, selectPolicy, sign } from './lock-policies.ts';
import { asMemberOf, mayEdit, mayViewCase, mayViewResponse, selectRole } from './visibility.ts';

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

/** Milliseconds for which deleted items can be brought back, before they are purged. */
export const deletedRetention = 30 * 24 * 3600 * 1000;

/** The state of a new item. */
export const initialState = {
  lockedAt: null,
  lockedIn: null,
  archivedAt: null,
  deletedAt: null,
  stateRevision: null,
};

/** Which items to change, as the request lists them. */
export interface ItemsChange {
  transition: Transition;
  cases: { identifier: string }[];
  responses: { identifier: string }[];
  reason?: string | undefined;
  signature?: Signing | undefined;
}

interface Item {
  id: string;
  owner: string;
  lockedAt: number | null;
  archivedAt: number | null;
  deletedAt: number | null;
}

/**
 * Locks, archives or deletes items, or undoes it: all of them or none, with one activity entry that names only what
 * changed. Items that are in the state already keep their time and are not logged. An item that changes state between
 * the read and the write adds an entry, so that this one no longer fits the chain: its batch fails and
 * `withOptimisticRetry` reads again.
 * @throws resource.not-found, items.not-found, action.forbidden, item.locked, limit.reached
 */
export async function changeItems(context: Context, investigation: string, change: ItemsChange) {
  const { db, actor, now } = context;
  const { column, set, action } = transitions[change.transition];
  const ids = { cases: unique(change.cases), responses: unique(change.responses) };
  await withOptimisticRetry(context, async () => {
    const { role, head, study, items } = await readItems(context, investigation, ids);
    // Only a request that deletes or brings back sees deleted items.
    const isThere = (item: Item) =>
      item.deletedAt === null || (column === 'deletedAt' && now - item.deletedAt <= deletedRetention);
    const found = {
      cases: byId(items.cases.filter(isThere)),
      responses: byId(items.responses.filter(isThere)),
    };
    checkChange({ actor, role }, change, found);
    if (change.transition === 'unlock') requireUnlocker(study, role);
    const signature = column === 'lockedAt' ? sign(context, study, change.signature) : undefined;

    const changes = (item: Item | undefined) => item !== undefined && (item[column] === null) === set;
    const changed = {
      cases: ids.cases.filter((id) => changes(found.cases.get(id))),
      responses: ids.responses.filter((id) => changes(found.responses.get(id))),
    };
    if (changed.cases.length + changed.responses.length === 0) return;
    requireUnfrozen(study);

    const entry = { investigation, actor, action, ...changed, reason: change.reason, signature };
    const values = { at: set ? now : null, position: set && signature ? head.position + 1 : null };
    await db
      .batch([
        appendActivity(db, await chainEntry(head, entry, context)),
        ...forSome(changed.cases, (listed, single) =>
          updateCases(db, { ...values, listed }, { column, single }),
        ),
        ...forSome(changed.responses, (listed, single) =>
          updateResponses(db, { ...values, listed }, { column, single }),
        ),
      ])
      .catch(frozenSince);
  });
}

/** One round trip. @throws resource.not-found */
async function readItems({ db, actor }: Context, investigation: string, ids: Record<List, string[]>) {
  const scope = { actor, investigation };
  const readCases = forSome(ids.cases, (listed, single) => selectCases(db, { ...scope, listed }, single));
  const readResponses = forSome(ids.responses, (listed, single) =>
    selectResponses(db, { ...scope, listed }, single),
  );
  const [[membership], head, [study], ...answers] = await db.batch([
    selectRole(db, investigation, actor),
    selectHead(db, investigation),
    selectPolicy(db, investigation, actor),
    ...readCases,
    ...readResponses,
  ]);
  if (!membership) throw notFound('investigation');
  const itemsIn = (some: typeof answers) => some.flat().flatMap(({ items }) => items);
  return {
    role: membership.role,
    head: headOf(head),
    study,
    items: {
      cases: itemsIn(answers.slice(0, readCases.length)),
      responses: itemsIn(answers.slice(readCases.length)),
    },
  };
}

type List = 'cases' | 'responses';

/** No statement for an empty list. */
const forSome = <T>(ids: string[], statementOf: (listed: string, single: boolean) => T): T[] =>
  ids.length > 0 ? [statementOf(listed(ids), ids.length === 1)] : [];

const byId = (items: Item[]) => new Map(items.map((item) => [item.id, item]));

const unique = (list: { identifier: string }[]) => [...new Set(list.map((item) => item.identifier))];

/** All items in one row: reading a row costs more than parsing its JSON. */
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
      { at, position, listed }: Placeholders<{ at: number | null; position: number | null; listed: string }>,
      { column, single }: { column: Column; single: boolean },
    ) =>
      db
        .update(table)
        .set({
          [column]: sql`${at}`,
          ...(column === 'lockedAt' && { lockedIn: sql`${position}` }),
          stateRevision: sql`revision_id`,
        })
        .where(isListed(table.id, listed, single)),
  );
const updateCases = update(cases);
const updateResponses = update(responses);

type Found = Record<List, Map<string, Item>>;

/** @throws items.not-found, action.forbidden, item.locked */
function checkChange({ actor, role }: { actor: string; role: Role }, change: ItemsChange, found: Found) {
  if (change.transition === 'undelete' && role !== 'owner')
    throw forbidden('Only owners bring back deleted items.');
  const unknown = faults(change, (list, id) => !found[list].has(id), expectedItem);
  if (unknown.length > 0)
    throw new Problem('items.not-found', 'Some items do not exist in this study, or you may not see them.', {
      errors: unknown,
    });
  // Everyone who sees an item may lock and unlock it.
  if (transitions[change.transition].column === 'lockedAt') return;

  const items = [...found.cases.values(), ...found.responses.values()];
  if (!items.every(({ owner }) => mayEdit(role, owner, actor)))
    throw forbidden('Responders archive and delete only what is theirs.');
  const isLocked = (list: List, id: string) => found[list].get(id)?.lockedAt != null;
  const locked = faults(change, isLocked, 'This item is locked.');
  if (locked.length > 0)
    throw new Problem('item.locked', 'Some items are locked: unlock them first.', { errors: locked });
}

const expectedItem = 'Expected an item of this study that you may see.';

/** A fault for each place in the request whose item fits. */
const faults = (change: ItemsChange, fits: (list: List, id: string) => boolean, detail: string) =>
  (['cases', 'responses'] as const).flatMap((list) =>
    change[list].flatMap(({ identifier }, n): Fault[] =>
      fits(list, identifier) ? [{ pointer: `/${list}/${n}/identifier`, detail }] : [],
    ),
  );
