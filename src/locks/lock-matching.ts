import { and, eq, gt, gte, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { type Parameters, query } from '../db/query.ts';
import { limitReached, notFound } from '../errors.ts';
import { sha256 } from '../identifiers.ts';
import { cases, itemStateIn, responses } from '../items/schema.ts';
import { chainEntry, headOf, selectHead, withOptimisticRetry } from '../log/activities.ts';
import { type ItemIds, insertActivityItems, kinds, slicesOf } from '../log/entry-items.ts';
import { activities } from '../log/schema.ts';
import { knownTo, requireKnown, selectDeclared } from '../permissions/declared-properties.ts';
import { requireUnfrozen } from '../permissions/edit-guards.ts';
import { frozenOf } from '../permissions/frozen-groups.ts';
import { combinationOf, fits, type GivenProperties, type PropertyRule } from '../permissions/groups.ts';
import { grow } from '../permissions/growth.ts';
import {
  isGrouped,
  policyOf,
  requireUnlocker,
  type Signing,
  selectPolicy,
  sign,
} from '../permissions/lock-policies.ts';
import { entryBytes, requireEntry, selectRoom } from '../permissions/shares.ts';
import { maySeePerson } from '../permissions/shown-people.ts';
import {
  asMember,
  mayViewCase,
  mayViewResponse,
  propertiesOfResponse,
  selectRole,
} from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';

/** The filter of items; omitted fields match all. `survey` and `responder` match responses only. */
export interface MatchingFilter {
  kinds?: ('cases' | 'responses')[] | undefined;
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
  /** Those of the case. */
  properties?: PropertyRule | undefined;
  /** Epoch seconds, as in lists: only items whose latest revision is not older. Locks are no revisions. */
  since?: number | undefined;
  /** Epoch ms: only items created before it. */
  before?: number | undefined;
}

export interface MatchingChange {
  status: 'locked' | 'unlocked';
  filter: MatchingFilter;
  reason?: string | undefined;
  signature?: Signing | undefined;
  /** Only counts. */
  dryRun: boolean;
}

/**
 * Locks or unlocks all items that a filter finds and the actor may view: in one transaction, with one entry that has the
 * filter, the counts and a digest of the items. Items that are created after the request are not found; with `since`
 * older items that are edited meanwhile are.
 * @throws resource.not-found, action.forbidden, request.invalid, auth.sign-in-stale, limit.reached
 */
export async function lockMatching(context: Context, investigation: string, change: MatchingChange) {
  const { db, actor, now } = context;
  const asked = { investigation, actor, now, ...change };
  return withOptimisticRetry(async () => {
    const [[me], head, [study], [share], [declared], inCases, inResponses] = await db.batch([
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
      selectPolicy(db, investigation, actor),
      selectRoom(context, investigation),
      selectDeclared(db, change.filter.properties ? investigation : ''),
      countOf(db, asked, 'cases'),
      countOf(db, asked, 'responses'),
    ]);
    if (!me) throw notFound('investigation');
    if (change.filter.properties)
      requireKnown(change.filter.properties, knownTo(me.role, declared?.properties), '/filter/properties');
    const groups = isGrouped(study) ? await readGroups(db, asked) : [];
    const policy = policyOf(study, groups);
    if (change.status === 'unlocked') requireUnlocker(policy, me.role);
    const [found, answered] = [inCases[0]?.count ?? 0, inResponses[0]?.count ?? 0];
    const counts = { cases: found, responses: answered };
    if (change.dryRun) return counts;
    const signature = sign(context, study, change.signature, policy);
    if (found + answered === 0) return counts;
    if (study)
      requireUnfrozen({ ...study, role: me.role, frozenGroup: frozenOf(study.frozenGroups, groups) });
    requireFew(context, found + answered);
    const { status, filter, reason } = change;
    const action = status === 'locked' ? ('items.locked' as const) : ('items.unlocked' as const);
    const bytes = entryBytes(found + answered, reason);
    requireEntry(context, share?.room, { action, bytes });

    const ids = await readIds(db, asked, counts);
    const items = { cases: ids.cases.length, responses: ids.responses.length };
    requireFew(context, items.cases + items.responses);
    await breathe();
    const details = {
      filter: shown(filter),
      ...(me.scope && { scope: me.scope }),
      items: { ...items, sha256: await digest(ids) },
    };
    const entry = await chainEntry(
      headOf(head),
      { investigation, actor, action, reason, details, signature, salted: study?.salted },
      context,
    );
    await breathe();
    await db.batch([
      // Null fails the batch if another item appeared since the read. Any other change of the found items adds an entry.
      db.insert(activities).values({ ...entry, action: unchanged(asked, items, action) }),
      ...insertActivityItems(db, investigation, entry.position, ids),
      ...slicesOf(ids).map(({ kind, first }) =>
        setLocks(db, kind, {
          investigation,
          position: entry.position,
          first,
          at: status === 'locked' ? now : null,
          lockedIn: status === 'locked' ? entry.position : null,
        }),
      ),
      ...grow(context, investigation, { written: me.role === 'responder' ? bytes : 0 }),
    ]);
    return { ...items, activity: entry.id };
  });
}

const tables = { cases, responses };
const propertiesOf = { cases: sql`${cases.properties}`, responses: propertiesOfResponse };

/** The identifiers of one row of the entry: a single statement for all would have no bound. */
const setLocks = (db: Database, kind: keyof ItemIds, values: Parameters) =>
  query(
    db,
    `update ${kind === 'cases' ? 'study_case' : 'response'}
      set locked_at = :at, locked_in = :lockedIn, state_revision = revision_id
      where id in (select j.value from activity_item i, json_each(i.ids) j where i.investigation_id = :investigation
        and i.position = :position and i.kind = '${kind}' and i.first = :first)`,
    values,
  );

interface Query extends MatchingChange {
  investigation: string;
  actor: string;
  now: number;
}

const shown = ({ before, ...filter }: MatchingFilter) => ({
  ...filter,
  ...(before !== undefined && { before: new Date(before).toISOString() }),
});

/** @throws limit.reached */
function requireFew({ limits }: Context, found: number) {
  if (found > limits.matching)
    throw limitReached(
      'MAX_MATCHING_ITEMS',
      `The filter finds ${found} items, and one call changes ${limits.matching}: narrow it, for instance with before.`,
    );
}

/** SHA-256 over the identifiers, each with a line feed: cases in order, then responses in order. */
const digest = (ids: ItemIds) => sha256([...ids.cases, ...ids.responses].map((id) => `${id}\n`).join(''));

const countOf = (db: Database, query: Query, kind: keyof ItemIds) =>
  db.select({ count: sql<number>`count(*)`.as(`${kind}_count`) }).from(sql`${matching(query, kind)} m`);

/** The combinations of properties of the items that the filter finds. One round trip. */
async function readGroups(db: Database, query: Query): Promise<(GivenProperties | null)[]> {
  const select = (kind: keyof ItemIds) =>
    db
      .select({
        groups: sql<string>`json_group_array(distinct coalesce(m.properties, 'null'))`.as(`${kind}_groups`),
      })
      .from(sql`${matching(query, kind, true)} m`);
  const rows = (await db.batch([select('cases'), select('responses')])).flat();
  return rows.flatMap(({ groups }) => (JSON.parse(groups) as string[]).map((text) => JSON.parse(text)));
}

/** The counted number of items; if there are more by now, the entry is not written. */
async function readIds(db: Database, query: Query, counts: Record<keyof ItemIds, number>): Promise<ItemIds> {
  const pages = kinds.flatMap((kind) =>
    Array.from({ length: Math.ceil(counts[kind] / pageIds) }, (_, page) => ({ kind, page })),
  );
  const [first, ...rest] = pages.map(({ kind, page }) => idsOf(db, query, kind, page));
  const found = first ? await db.batch([first, ...rest]) : [];
  const ids: ItemIds = { cases: [], responses: [] };
  for (const [n, { kind }] of pages.entries()) {
    await breathe();
    for (const row of found[n] ?? []) ids[kind].push(...(JSON.parse(row.ids) as string[]));
  }
  await breathe();
  return { cases: ids.cases.sort(), responses: ids.responses.sort() };
}

/** Identifiers per row of the answer: 700,000 characters. One row per identifier would be slow to read. */
const pageIds = 20_000;

/** The pages of one batch come from one snapshot. */
const idsOf = (db: Database, query: Query, kind: keyof ItemIds, page: number) =>
  db
    .select({ ids: sql<string>`json_group_array(id)`.as(`${kind}_${page}`) })
    .from(sql`(select id from ${matching(query, kind)} m limit ${pageIds} offset ${page * pageIds})`);

/** In SQL: the identifiers of the items of one kind that the filter finds and the change affects. */
const matching = (query: Query, kind: keyof ItemIds, withGroups = false): SQL => {
  const table = tables[kind];
  const { investigation, actor, status } = query;
  const conditions = and(
    eq(table.investigationId, investigation),
    isNull(table.deletedAt),
    status === 'locked' ? isNull(table.lockedAt) : isNotNull(table.lockedAt),
    kind === 'cases' ? mayViewCase(actor) : mayViewResponse(actor),
    ...filtered(query, kind),
  );
  const parts = rangesOf(query, kind).map(
    (
      range,
    ) => sql`select ${table.id} as id${withGroups ? sql`, ${combinationOf(propertiesOf[kind])} as properties` : sql``} from ${table}
      join ${members} on ${asMember(table.investigationId, actor)} where ${and(conditions, range)}`,
  );
  return sql`(${sql.join(parts, sql` union all `)})`;
};

/**
 * With `since` the two index ranges that lists read, without an item in common: items that were created since, and older
 * ones in the short index of edited items. The items of a case or a person are found by their own index.
 */
function rangesOf({ filter, status }: Query, kind: keyof ItemIds): (SQL | undefined)[] {
  if (filter.since === undefined) return [undefined];
  const since = filter.since * 1000;
  const { createdAt } = tables[kind];
  const revisedAt = kind === 'cases' ? cases.editedAt : responses.revisedAt;
  if (filter.case !== undefined || filter.responder !== undefined) return [gte(revisedAt, since)];
  const state = sql.raw(itemStateIn(kind === 'cases' ? 'study_case.' : 'response.'));
  // As indexes have them: 0 open, 2 archived; 1 and 3 the same, locked.
  const states = sql.raw(status === 'locked' ? '(0, 2)' : '(1, 3)');
  return [
    and(sql`${state} in ${states}`, gte(createdAt, since)),
    and(gt(revisedAt, createdAt), gte(revisedAt, since), lt(createdAt, since)),
  ];
}

function filtered({ investigation, actor, filter, now }: Query, kind: keyof ItemIds) {
  const { survey, responder, properties, before } = filter;
  const table = tables[kind];
  const isAsked = filter.kinds === undefined || filter.kinds.includes(kind);
  const hasThem = kind === 'responses' || (survey === undefined && responder === undefined);
  return [
    isAsked && hasThem ? undefined : sql`0`,
    // Items created after the request are left out, so that people who create items do not delay it.
    lte(table.createdAt, now),
    before === undefined ? undefined : lt(table.createdAt, before),
    filter.case === undefined ? undefined : eq(kind === 'cases' ? cases.id : responses.caseId, filter.case),
    properties && fits(sql`${JSON.stringify(properties)}`, propertiesOf[kind]),
    kind === 'cases' || survey === undefined ? undefined : eq(responses.surveyId, survey),
    // Counts of somebody who is not shown would tell which responses are theirs.
    ...(kind === 'cases' || responder === undefined
      ? []
      : [eq(responses.responderId, responder), maySeePerson(investigation, responder, actor)]),
  ];
}

/** In SQL: the action, as long as the filter finds as many items as were read. */
const unchanged = (query: Query, items: Record<keyof ItemIds, number>, action: string) =>
  sql`case when (select count(*) from ${matching(query, 'cases')} m) = ${items.cases}
    and (select count(*) from ${matching(query, 'responses')} m) = ${items.responses} then ${action} end`;
