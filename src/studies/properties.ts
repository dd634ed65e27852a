import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { Problem } from '../errors.ts';
import { isEmptied, itemStateIn } from '../items/schema.ts';
import { sliceRows } from '../log/recorded-downloads.ts';
import { isBlinded, type Property } from '../permissions/groups.ts';
import { invitationLifetimeMs } from './schema.ts';
import { surveys } from './survey-schema.ts';

/** Marks the surveys of a study that are for people of a blinded property, in the batch of whatever changes either. */
export const noteBlinded = (db: Database, investigation: string) =>
  db
    .update(surveys)
    .set({ blinded: sql`${isBlinded(surveys.for, investigation)}` as never })
    .where(
      sql`${surveys.investigationId} = ${investigation}
        and ${surveys.blinded} <> ${isBlinded(surveys.for, investigation)}`,
    );

/** Names that a study gives up, null, and the values of other names that it gives up. */
type Gone = Record<string, readonly string[] | null>;

function goneFrom(before: readonly Property[], after: readonly Property[]): Gone {
  return Object.fromEntries(
    before.flatMap(({ name, values }): [string, readonly string[] | null][] => {
      const kept = after.find((one) => one.name === name);
      if (!kept) return [[name, null]];
      const missing = values.filter((value) => !kept.values.includes(value));
      return missing.length > 0 ? [[name, missing]] : [];
    }),
  );
}

/** Properties that become blinded: no scope may name them any more. */
const blindedSince = (before: readonly Property[], after: readonly Property[]): Gone =>
  Object.fromEntries(
    after
      .filter(({ name, blinded }) => blinded && before.some((one) => one.name === name && !one.blinded))
      .map(({ name }) => [name, null]),
  );

/** In SQL: the first name of `:gone` that a JSON object has with one of its values; `value` is that of `g.key`. */
const firstOf = (object: string, value: string, gone = ':gone') => `(select g.key from json_each(${gone}) g
  where ${object} -> g.key is not null and (g.value is null or ${value} in (select value from json_each(g.value))) limit 1)`;

const ofOwn = (column: string) => firstOf(column, `(${column} -> g.key ->> 0)`);
const ofGiven = (column: string) => firstOf(column, `(${column} ->> g.key)`);

/** In SQL: the same of a rule, which has several values of each name. */
const ofRule = (rule: string, gone?: string) => `(select g.key from json_each(${gone ?? ':gone'}) g
  where ${rule} -> g.key is not null and (g.value is null or exists (select 1 from json_each(${rule}, '$."' || g.key || '"') named
    where named.value in (select value from json_each(g.value)))) limit 1)`;

const ofScope = (scope: string) => `coalesce(${ofRule(scope)}, ${ofRule(scope, ':blinded')})`;

/** Something that uses a property. */
interface Use {
  name: string;
  by: 'members' | 'cases' | 'codes' | 'invitations' | 'scopes' | 'surveys' | 'freezes' | 'policies';
}

/** In SQL: uses by what is few in a study. */
const fewUses = `select * from (
    select ${ofGiven('e.properties')} as name, 'codes' as by from enrolment e
      where e.investigation_id = :investigation and e.ended_at is null and e.properties is not null
        and e.used < e.uses and (e.expires_at is null or e.expires_at > :now)
    union all select coalesce(${ofGiven('v.properties')}, ${ofScope('v.scope')}), 'invitations' from invitation v
      where v.investigation_id = :investigation and v.created_at > :since
    union all select ${ofScope('m.scope')}, 'scopes' from member m
      where m.investigation_id = :investigation and m.role <> 'responder' and m.scope is not null
    union all select ${ofRule('s.for')}, 'surveys' from survey s
      where s.investigation_id = :investigation and s.for is not null)
  where name is not null limit 1`;

/** A slice of the members, or of the cases in a state, which may be many: its length, its end, and a name that is in use. */
interface Slice {
  n: number;
  at: number | null;
  last: string | null;
  name: string | null;
}

/** Of an instant, so that instants and identifiers sort as texts. */
const digits = 15;

const sliceOf = (
  rows: string,
) => `select count(*) as n, max(x.at) as at, max(printf('%0${digits}d', x.at) || x.id) as last,
  max(${ofOwn('x.properties')}) as name from (${rows} limit ${sliceRows}) x`;

/** In SQL, by the ranges of an index: those behind a place. */
const slices = [
  {
    by: 'members' as const,
    text: sliceOf(`select 0 as at, m.user_id as id, m.properties from member m
      where m.investigation_id = :investigation and m.user_id > :id order by m.user_id`),
  },
  ...[0, 1, 2, 3, 4].map((state) => ({
    by: 'cases' as const,
    text: sliceOf(`select c.created_at as at, c.id, iif(${isEmptied('c.')}, null, c.properties) as properties from study_case c
      where c.investigation_id = :investigation and ${itemStateIn('c.')} = ${state}
        and (c.created_at, c.id) > (:at, :id) order by c.created_at, c.id`),
  })),
];

/**
 * Looks for a use of a property, or of a value, that a study would give up: by members, cases, open codes and invitations, scopes
 * and surveys; former members and purged cases do not count. Nothing is read if none is given up. Members and cases are read in slices.
 */
export async function findUseOfProperty(
  { db, now }: Pick<Context, 'db' | 'now'>,
  investigation: string,
  before: readonly Property[],
  after: readonly Property[],
): Promise<Use | undefined> {
  const [gone, blinded] = [goneFrom(before, after), blindedSince(before, after)];
  const isGone = Object.keys(gone).length > 0;
  if (!isGone && Object.keys(blinded).length === 0) return undefined;
  const values = { investigation, gone: JSON.stringify(gone), blinded: JSON.stringify(blinded) };
  const [few] = await query<Use>(db, fewUses, { ...values, now, since: now - invitationLifetimeMs });
  if (few || !isGone) return few;
  for (const { by, text } of slices)
    for (let [at, id] = [0, '']; ; await breathe()) {
      const [read] = await query<Slice>(db, text, { ...values, at, id });
      if (read?.name != null) return { name: read.name, by };
      if (!read || read.n < sliceRows) break;
      [at, id] = [read.at ?? 0, read.last?.slice(digits) ?? ''];
    }
  return undefined;
}

const users: Record<Use['by'], string> = {
  members: 'members have it',
  cases: 'cases have it',
  codes: 'open codes of enrolment give it',
  invitations: 'open invitations name it',
  scopes: 'scopes of members name it',
  surveys: 'surveys are for people with it',
  freezes: 'a frozen group has it',
  policies: 'the lock policy names it',
};

export const propertyInUse = ({ name, by }: Use) =>
  new Problem(
    'property.in-use',
    `The property “${name}” is in use, or the value that would go: ${users[by]}. Change them first.`,
    { errors: [{ pointer: '/properties', detail: `Expected “${name}” with all values in use.` }] },
  );
