import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { cases, responses } from '../items/schema.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { isWithin } from '../permissions/own-properties.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { maySeePerson } from '../permissions/shown-people.ts';
import {
  asMemberOf,
  mayViewCase,
  mayViewResponse,
  requireStaff,
  whenMember,
} from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';

/** The part of a study's log that a reader sees. */
export interface Sight {
  actor: string;
  role: Role;
  scope: PropertyRule | null;
  /** The names of properties that the reader knows of; of all others the log is silent. Null: all. */
  names: string[] | null;
  /** The study has blinded properties, and the reader is no owner. */
  blinded: boolean;
  /** Surveys that the reader does not see. */
  surveys: string[];
}

/** One row: the role of the actor, and all that bounds their sight. No row for those who are not members. */
export const selectSight = (db: Database, investigation: string, actor: string) =>
  query<Sight>(
    db,
    `select me.user_id as actor, me.role, me.scope,
      iif(me.role = 'owner', null, (select json_group_array(p.value ->> 'name')
        from investigation i, json_each(i.course, '$.properties') p
        where i.id = me.investigation_id and p.value ->> 'blinded' is null)) as names,
      me.role <> 'owner' and exists (select 1 from investigation i, json_each(i.course, '$.properties') p
        where i.id = me.investigation_id and p.value ->> 'blinded') as blinded,
      iif(me.role = 'owner', '[]', (select json_group_array(b.id) from survey b indexed by survey_blinded_in
        where b.investigation_id = me.investigation_id and b.blinded)) as surveys
      from current_member me where me.investigation_id = :investigation and me.user_id = :actor`,
    { investigation, actor },
    { scope: JSON.parse, names: JSON.parse, blinded: Boolean, surveys: JSON.parse },
  );

/** @throws resource.not-found, action.forbidden */
export function requireReader<M extends { role: Role }>(me: M | undefined): asserts me is M {
  requireStaff(me, 'read the activity log');
}

/** Items and people that entries name may be out of the reader's sight, so that they have to be looked up. */
export const isPartial = ({ scope, blinded }: Sight): boolean => scope !== null || blinded;

/** Identifiers by kind. */
interface Named {
  cases: ReadonlySet<string>;
  responses: ReadonlySet<string>;
  people: ReadonlySet<string>;
  codes: ReadonlySet<string>;
}

/** Those of the named that the reader sees. */
export interface Seen {
  cases: ReadonlySet<string>;
  responses: ReadonlySet<string>;
  /** By identifier: whether the person is one of the staff. */
  people: ReadonlyMap<string, boolean>;
  codes: ReadonlySet<string>;
}

type Listed = { ids: string[] };
const parsed = { ids: JSON.parse };

const itemsOf = (table: typeof cases | typeof responses) =>
  textOf(sql`select json_group_array(${table.id}) as ids from ${table}
    join ${members} on ${asMemberOf(named('investigation'), table.investigationId, named('actor'))}
    where ${table.id} in (select value from json_each(:listed))
    and ${table === cases ? mayViewCase(named('actor')) : mayViewResponse(named('actor'))}`);

const texts = {
  cases: itemsOf(cases),
  responses: itemsOf(responses),
  people: textOf(sql`select json_group_array(json_array(p.value,
      ${whenMember(named('investigation'), sql.raw('p.value'), ...staff)})) as ids
    from ${members} cross join json_each(:listed) p
    where ${members.investigationId} = :investigation and ${members.userId} = :actor
    and ${maySeePerson(named('investigation'), sql.raw('p.value'), named('actor'))}`),
  codes: `select json_group_array(json_array(c.id, json(c.properties))) as ids from enrolment c
    where c.investigation_id = :investigation and c.id in (select value from json_each(:listed))`,
};

/** The identifiers of items that the actor sees. */
export const selectSeen = (
  db: Database,
  kind: 'cases' | 'responses',
  values: { investigation: string; actor: string; listed: readonly string[] },
) => query<Listed>(db, texts[kind], { ...values, listed: JSON.stringify(values.listed) }, parsed);

/** One round trip. */
export async function readSeen(
  db: Database,
  investigation: string,
  sight: Sight,
  given: Named,
): Promise<Seen> {
  const { actor } = sight;
  const values = (kind: keyof Named) => ({ investigation, actor, listed: JSON.stringify([...given[kind]]) });
  const [[cases], [responses], [people], [codes]] = await db.batch([
    query<Listed>(db, texts.cases, values('cases'), parsed),
    query<Listed>(db, texts.responses, values('responses'), parsed),
    query<{ ids: [string, number][] }>(db, texts.people, values('people'), parsed),
    query<{ ids: [string, Record<string, string> | null][] }>(db, texts.codes, values('codes'), parsed),
  ]);
  const isSeen = (properties: Record<string, string> | null) =>
    Object.keys(properties ?? {}).every((name) => knows(sight, name)) && isWithin(sight.scope, properties);
  return {
    cases: new Set(cases?.ids),
    responses: new Set(responses?.ids),
    people: new Map(people?.ids.map(([id, isStaff]) => [id, isStaff === 1])),
    codes: new Set(codes?.ids.filter(([, properties]) => isSeen(properties)).map(([id]) => id)),
  };
}

/** The reader knows of a property with this name. */
export const knows = ({ names }: Sight, name: string): boolean => names === null || names.includes(name);
