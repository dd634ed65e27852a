import { type Column, type SQL, sql } from 'drizzle-orm';

/** A property that a study declares for its people and cases, such as a site or an arm. */
export interface Property {
  name: string;
  values: readonly string[];
  /** Only owners see it. */
  blinded?: true | undefined;
}

/** People and cases fit who have one of the values of each name. */
export type PropertyRule = Readonly<Record<string, readonly string[]>>;

/** Values by name, as a client gives them. */
export type GivenProperties = Readonly<Record<string, string>>;

/** The properties of a member or a case by name, as they are stored: with the instant (epoch ms) at which a member got each. */
export type OwnProperties = Readonly<Record<string, readonly [value: string, at?: number]>>;

/** Somebody may fit both rules; everybody fits a null rule. */
export const overlaps = (rule: PropertyRule | null, other: PropertyRule): boolean =>
  Object.entries(rule ?? {}).every(
    ([name, values]) => other[name]?.some((value) => values.includes(value)) ?? true,
  );

type Value = string | SQL | Column;

/** In SQL: a person or a case with these stored properties fits a rule; everybody fits a null rule. */
export const fits = (rule: Value, properties: Value): SQL =>
  sql`(${rule} is null or not exists (select 1 from json_each(${rule}) f where not exists (
    select 1 from json_each(f.value) v where v.value = (${properties} -> f.key ->> 0))))`;

/** In SQL: the same of properties as a client gives them, such as those of a code, and of what {@link combinationOf} writes. */
export const fitsGiven = (rule: Value, properties: Value): SQL =>
  sql`(${rule} is null or not exists (select 1 from json_each(${rule}) f where not exists (
    select 1 from json_each(f.value) v where v.value = (${properties} ->> f.key))))`;

/** In SQL: the stored properties of a member, or of somebody who has left the study. */
export const propertiesOf = (investigation: Value, person: Value): SQL =>
  sql`coalesce((select own.properties from member own where own.investigation_id = ${investigation} and own.user_id = ${person}),
    (select former.properties from change former where former.identifier = ${person}
      and former.investigation_id = ${investigation} and former.kind = 'member' and former.state = 'removed'))`;

/** In SQL: the names of a study's blinded properties, one column. */
export const blindedNames = (investigation: Value): SQL =>
  sql`select b.value ->> 'name' from investigation i, json_each(i.course, '$.properties') b
    where i.id = ${investigation} and b.value ->> 'blinded'`;

/** In SQL: the names of a study's properties that are not blinded, one column. */
export const declaredNames = (investigation: Value): SQL =>
  sql`select b.value ->> 'name' from investigation i, json_each(i.course, '$.properties') b
    where i.id = ${investigation} and b.value ->> 'blinded' is null`;

/** In SQL: stored properties as a member of this role is shown them, a JSON object of values by name; null: none. */
export const shownProperties = (properties: Value, role: Value, investigation: Value): SQL =>
  sql`(case when ${properties} is null or ${role} = 'responder' then null else (
    select nullif(json_group_object(p.key, p.value ->> 0), '{}') from (
      select key, value from json_each(${properties}) order by key) p
    where ${role} = 'owner' or p.key not in (${blindedNames(investigation)})) end)`;

/** In SQL: stored properties as one canonical text, the key of their counts; null: none. */
export const combinationOf = (properties: Value): SQL =>
  sql`(case when ${properties} is null then null else (
    select nullif(json_group_object(p.key, p.value ->> 0), '{}') from (
      select key, value from json_each(${properties}) order by key) p) end)`;

/** In SQL, for the batch of whatever changes a survey's `for` or a study's properties. */
export const isBlinded = (rule: Value, investigation: Value): SQL =>
  sql`exists (select 1 from json_each(${rule}) f where f.key in (${blindedNames(investigation)}))`;
