import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { knownTo, requireKnown, requireOwnScope, withinScope } from '../permissions/declared-properties.ts';
import type { GivenProperties, OwnProperties, Property } from '../permissions/groups.ts';
import { type Me, requireEditor } from '../permissions/visibility.ts';

/** One of the staff who gives a case its properties, and what the study declares; of a case that is there, its own. */
export interface Maker extends Me {
  declared: readonly Property[] | null;
  own: OwnProperties | null;
  /** The same as they are stored, for the condition that they are so still. */
  texts: string;
}

/** One row, if the actor is a member. */
export const selectMaker = (
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  of: { investigation: string } | { case: string },
) => {
  const study =
    'investigation' in of ? ':investigation' : '(select investigation_id from study_case where id = :case)';
  return query<Maker>(
    db,
    `select me.role, me.scope, i.course -> '$.properties' as declared, c.properties as own,
        json_array(me.scope, i.course -> '$.properties', c.properties) as texts
      from current_member me join investigation i on i.id = me.investigation_id left join study_case c on c.id = :case
      where me.investigation_id = ${study} and me.user_id = :actor`,
    { actor, case: '', ...of },
    { scope: JSON.parse, declared: JSON.parse, own: JSON.parse },
  );
};

/** In SQL: scope, declared properties and those of the case are what the maker had. */
export const isStillMaker = (investigation: string, actor: string, { texts }: Maker, own = sql`null`) =>
  sql`exists (select 1 from current_member me join investigation i on i.id = me.investigation_id
    where me.investigation_id = ${investigation} and me.user_id = ${actor}
      and json_array(me.scope, i.course -> '$.properties', ${own}) = ${texts})`;

/** Given properties, as they are stored from an instant (epoch ms) on; null: none. */
function storedFrom(given: GivenProperties, now: number): OwnProperties | null {
  const entries = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length > 0
    ? Object.fromEntries(entries.map(([name, value]): [string, [string, number]] => [name, [value, now]]))
    : null;
}

/**
 * The properties of a new case that somebody of the staff makes: what they give, within their part of the study.
 * @throws action.forbidden, request.invalid
 */
export function propertiesOfNew(
  { role, scope, declared }: Maker,
  given: GivenProperties | undefined,
  now: number,
): OwnProperties | null {
  if (given) {
    requireEditor({ role }, 'give cases properties');
    requireKnown(given, knownTo(role, declared), '/properties');
  }
  return storedFrom(withinScope(scope, given ?? {}), now);
}

/** The properties of a case after a merge patch; undefined: as before. @throws action.forbidden, request.invalid */
export function changedProperties(
  { role, scope, declared, own }: Maker,
  patch: Readonly<Record<string, string | null>>,
  now: number,
): { properties: OwnProperties | null } | undefined {
  requireEditor({ role }, 'give cases properties');
  requireKnown(patch, knownTo(role, declared), '/properties');
  const changed = Object.entries(patch).filter(([name, value]) => (own?.[name]?.[0] ?? null) !== value);
  requireOwnScope(scope, Object.fromEntries(changed));
  if (changed.length === 0) return undefined;
  const after: Record<string, OwnProperties[string]> = { ...own };
  for (const [name, value] of changed)
    if (value === null) delete after[name];
    else after[name] = [value, now];
  return { properties: Object.keys(after).length > 0 ? after : null };
}

/** A statement: copies of a part of the study begin again, if this case changed its group with a revision. */
export const noteRegroupedCase = (
  db: Database,
  values: { investigation: string; case: string; revision: string },
) =>
  query(
    db,
    `update investigation set regrouped = (select max(sequence) from change where investigation_id = :investigation)
      where id = :investigation and exists (select 1 from study_case where id = :case and revision_id = :revision)`,
    values,
  );
