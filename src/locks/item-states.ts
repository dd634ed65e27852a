import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { type Fault, forbidden, notFound, Problem } from '../errors.ts';
import { cases, responses, storedCaseBytes } from '../items/schema.ts';
import {
  type Action,
  appendActivity,
  chainEntry,
  headOf,
  selectHead,
  withOptimisticRetry,
} from '../log/activities.ts';
import { requireUnfrozen } from '../permissions/edit-guards.ts';
import { frozenOf } from '../permissions/frozen-groups.ts';
import { combinationOf, type GivenProperties } from '../permissions/groups.ts';
import { grow } from '../permissions/growth.ts';
import { selectSize } from '../permissions/limits.ts';
import {
  isGrouped,
  policyOf,
  requireUnlocker,
  type Signing,
  selectPolicy,
  sign,
} from '../permissions/lock-policies.ts';
import type { Role } from '../permissions/roles.ts';
import { entryBytes, requireEntry, selectRoom } from '../permissions/shares.ts';
import {
  asMemberOf,
  mayEdit,
  mayViewCase,
  mayViewResponse,
  propertiesOfResponse,
  selectRole,
} from '../permissions/visibility.ts';
import { triggersSome, wakeTriggered } from '../reminders/triggers.ts';
import { wakeStudy } from '../reminders/wake.ts';
import { deletedRetentionMs } from '../schedule/retention.ts';
import { members } from '../studies/schema.ts';
import { growthOf, requireRoom } from './restores.ts';

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

/** The state of a new item. */
export const initialState = {
  lockedAt: null,
  lockedIn: null,
  archivedAt: null,
  deletedAt: null,
  stateRevision: null,
};

/** The items to change, as the request lists them. */
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
  /** With those of its revisions. */
  bytes: number;
  /** 1: reminders follow this response, and are planned again when it is deleted or restored. */
  triggers: number;
}

/**
 * Locks, archives or deletes items, or undoes it: all of them or none, with one activity entry that names only the
 * changed items. Items that are already in the state keep their time and are not logged. If an item changes state between
 * the read and the write, that change adds an entry, so this entry no longer fits the chain: its batch fails and
 * `withOptimisticRetry` reads again.
 * @throws resource.not-found, items.not-found, action.forbidden, item.locked, limit.reached
 */
export async function changeItems(context: Context, investigation: string, change: ItemsChange) {
  const { db, actor, now } = context;
  const { column, set, action } = transitions[change.transition];
  const ids = { cases: unique(change.cases), responses: unique(change.responses) };
  await withOptimisticRetry(async () => {
    const { role, head, study, room, size, ...read } = await readItems(context, investigation, ids);
    // Only requests that delete or restore see deleted items.
    const isThere = (item: Item) =>
      item.deletedAt === null || (column === 'deletedAt' && now - item.deletedAt <= deletedRetentionMs);
    const found = {
      cases: byId(read.cases.filter(isThere)),
      responses: byId(read.responses.filter(isThere)),
    };
    checkChange({ actor, role }, change, found);
    const groups = isGrouped(study) ? await readGroups(db, ids) : undefined;
    const policy = policyOf(study, [...(groups?.values() ?? [])]);
    if (change.transition === 'unlock') requireUnlocker(policy, role);
    const signature = column === 'lockedAt' ? sign(context, study, change.signature, policy) : undefined;

    const changes = (item: Item | undefined) => item !== undefined && (item[column] === null) === set;
    const changed = {
      cases: ids.cases.filter((id) => changes(found.cases.get(id))),
      responses: ids.responses.filter((id) => changes(found.responses.get(id))),
    };
    if (changed.cases.length + changed.responses.length === 0) return;
    const items = itemsOf(changed, found);
    const changing = [...changed.cases, ...changed.responses].map((id) => groups?.get(id) ?? null);
    if (study) requireUnfrozen({ ...study, role, frozenGroup: frozenOf(study.frozenGroups, changing) });
    const bytes = entryBytes(changed.cases.length + changed.responses.length, change.reason);
    requireEntry(context, room, { action, bytes });
    const growth = growthOf(change.transition, items);
    requireRoom(context, size, growth);

    const entry = {
      investigation,
      actor,
      action,
      ...changed,
      reason: change.reason,
      signature,
      salted: study?.salted,
    };
    const chained = await chainEntry(head, entry, context);
    const values = { at: set ? now : null, position: set ? head.position + 1 : null };
    // A trigger that is set meanwhile adds an entry, too.
    const triggering = column === 'deletedAt' ? items.responses : [];
    const reminded = Map.groupBy(
      triggering.filter(({ triggers }) => triggers),
      ({ owner }) => owner,
    );
    await db.batch([
      appendActivity(db, chained),
      ...forSome(changed.cases, (listed) => updateItems(db, 'cases', column, { ...values, listed })),
      ...forSome(changed.responses, (listed) => updateItems(db, 'responses', column, { ...values, listed })),
      ...wakeOwners(context, investigation, reminded),
      ...grow(context, investigation, { ...growth, written: role === 'responder' ? bytes : 0 }),
    ]);
  });
}

/** Responses whose triggers a change judges at once. Of more, those of the whole study are judged afterwards. */
const maxJudged = 20;

/** The reminders that responses trigger, or do no more. */
function wakeOwners(context: Context, investigation: string, reminded: ReadonlyMap<string, Item[]>) {
  const owners = [...reminded];
  if (owners.flatMap(([, items]) => items).length > maxJudged) return wakeStudy(context, investigation);
  return owners.map(([owner, items]) =>
    wakeTriggered(
      context,
      owner,
      items.map(({ id }) => id),
    ),
  );
}

/** One round trip. @throws resource.not-found */
async function readItems(context: Context, investigation: string, ids: Record<List, string[]>) {
  const { db, actor } = context;
  const scope = { actor, investigation };
  const readCases = forSome(ids.cases, (listed) => selectItems(db, 'cases', { ...scope, listed }));
  const readResponses = forSome(ids.responses, (listed) =>
    selectItems(db, 'responses', { ...scope, listed }),
  );
  const [[membership], head, [study], [share], [size], ...answers] = await db.batch([
    selectRole(db, investigation, actor),
    selectHead(db, investigation),
    selectPolicy(db, investigation, actor),
    selectRoom(context, investigation),
    selectSize(db, investigation),
    ...readCases,
    ...readResponses,
  ]);
  if (!membership) throw notFound('investigation');
  const itemsIn = (some: typeof answers) => some.flat().flatMap(({ items }) => items);
  return {
    role: membership.role,
    head: headOf(head),
    study,
    room: share?.room,
    size,
    cases: itemsIn(answers.slice(0, readCases.length)),
    responses: itemsIn(answers.slice(readCases.length)),
  };
}

const combinations = {
  cases: textOf(sql`select ${cases.id} as id, ${combinationOf(sql`${cases.properties}`)} as properties
    from ${cases} where ${cases.id} in (select value from json_each(:listed))`),
  responses: textOf(sql`select ${responses.id} as id, ${combinationOf(propertiesOfResponse)} as properties
    from ${responses} where ${responses.id} in (select value from json_each(:listed))`),
};

/** The properties of items, of a response those of its case. One round trip. */
async function readGroups(db: Database, ids: Record<List, string[]>) {
  const select = (list: List) =>
    query<{ id: string; properties: GivenProperties | null }>(
      db,
      combinations[list],
      { listed: JSON.stringify(ids[list]) },
      { properties: JSON.parse },
    );
  const rows = (await db.batch([select('cases'), select('responses')])).flat();
  return new Map(rows.map(({ id, properties }) => [id, properties]));
}

type List = 'cases' | 'responses';

/** No statement for an empty list. */
const forSome = <T>(ids: string[], statementOf: (listed: string) => T): T[] =>
  ids.length > 0 ? [statementOf(JSON.stringify(ids))] : [];

const byId = (items: Item[]) => new Map(items.map((item) => [item.id, item]));

const itemsOf = (ids: Record<List, string[]>, found: Found) => ({
  cases: ids.cases.flatMap((id) => found.cases.get(id) ?? []),
  responses: ids.responses.flatMap((id) => found.responses.get(id) ?? []),
});

const unique = (list: { identifier: string }[]) => [...new Set(list.map((item) => item.identifier))];

/** All items in one row: reading a row costs more than parsing its JSON. */
const jsonOf = (
  table: typeof cases | typeof responses,
  owner: AnySQLiteColumn,
  mayView: SQL | undefined,
  bytes: SQL,
  triggers = sql`0`,
) =>
  textOf(sql`select json_group_array(json_object('id', ${table.id}, 'owner', ${owner}, 'lockedAt', ${table.lockedAt},
    'archivedAt', ${table.archivedAt}, 'deletedAt', ${table.deletedAt}, 'bytes', ${bytes},
    'triggers', ${triggers})) as items
    from ${table} join ${members}
    on ${asMemberOf(named('investigation'), table.investigationId, named('actor'))}
    where ${table.id} in (select value from json_each(:listed)) and ${mayView}`);

const visible = {
  cases: jsonOf(cases, cases.creatorId, mayViewCase(named('actor')), storedCaseBytes),
  responses: jsonOf(
    responses,
    responses.responderId,
    mayViewResponse(named('actor')),
    sql`${responses.storedBytes}`,
    triggersSome(sql`${responses.surveyId}`),
  ),
};

const selectItems = (
  db: Database,
  list: List,
  values: { actor: string; investigation: string; listed: string },
) => query<{ items: Item[] }>(db, visible[list], values, { items: JSON.parse });

const updateItems = (
  db: Database,
  list: List,
  column: Column,
  values: { at: number | null; position: number | null; listed: string },
) =>
  query(
    db,
    `update ${tables[list]} set ${columns[column]} = :at, ${column === 'lockedAt' ? 'locked_in = :position, ' : ''}state_revision = revision_id
      where id in (select value from json_each(:listed))`,
    values,
  );

const tables = { cases: 'study_case', responses: 'response' };
const columns = { lockedAt: 'locked_at', archivedAt: 'archived_at', deletedAt: 'deleted_at' };

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
    throw forbidden('Responders archive and delete only their own items, and monitors none.');
  const isLocked = (list: List, id: string) => found[list].get(id)?.lockedAt != null;
  const locked = faults(change, isLocked, 'This item is locked.');
  if (locked.length > 0)
    throw new Problem('item.locked', 'Some items are locked: unlock them first.', { errors: locked });
}

const expectedItem = 'Expected an item of this study that you may see.';

/** A fault for each place in the request whose item matches. */
const faults = (change: ItemsChange, fits: (list: List, id: string) => boolean, detail: string) =>
  (['cases', 'responses'] as const).flatMap((list) =>
    change[list].flatMap(({ identifier }, n): Fault[] =>
      fits(list, identifier) ? [{ pointer: `/${list}/${n}/identifier`, detail }] : [],
    ),
  );
