import { formatChoice, formatList } from './format.ts';

/* Groups of people and cases: the properties that a study declares, and rules that name some of their values. */

/** A property that a study declares, such as a site or an arm. Only owners see a blinded one. */
export interface Property {
  name: string;
  values: string[];
  blinded?: boolean | undefined;
}

/** People and cases fit who have one of the values of each name. */
export type PropertyRule = Record<string, string[]>;

/** Somebody's values by name. */
export type Properties = Record<string, string>;

/** Something that has properties, or of a person who has some. */
export interface Grouped {
  properties?: Properties | undefined;
}

/** The parameter of the address that filters a list by a property. */
export const parameterOf = (name: string): string => `property.${name}`;

type Query = Readonly<Record<string, string | undefined>>;

/** The chosen values of an address, by name. A value that the study does not declare filters nothing. */
export const chosenIn = (declared: readonly Property[], query: Query): Properties =>
  Object.fromEntries(
    declared.flatMap(({ name, values }) => {
      const value = query[parameterOf(name)];
      return value !== undefined && values.includes(value) ? [[name, value]] : [];
    }),
  );

/** The chosen values as the filter of the service's lists; nothing if none are chosen. */
export function listFilter(chosen: Properties): { property?: string[] } {
  const pairs = Object.entries(chosen).map(([name, value]) => `${name}:${value}`);
  return pairs.length > 0 ? { property: pairs } : {};
}

/** The chosen values as a rule; undefined if none are chosen. */
export function ruleOf(chosen: Properties): PropertyRule | undefined {
  const entries = Object.entries(chosen).map(([name, value]): [string, string[]] => [name, [value]]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The values of a property that somebody with this scope may give. */
export const valuesWithin = ({ name, values }: Property, scope: PropertyRule | null | undefined) =>
  scope?.[name] ? values.filter((value) => scope[name]?.includes(value)) : values;

/** The properties that somebody with this scope may change of a person or a case: not those that bound what they see. */
export const changeable = (declared: readonly Property[], scope: PropertyRule | null | undefined) =>
  declared.filter(({ name }) => scope?.[name] === undefined);

/** Whether a rule names a blinded property: only owners see a survey that is for such a group. */
export const isBlinded = (rule: PropertyRule | null | undefined, declared: readonly Property[]): boolean =>
  declared.some(({ name, blinded }) => blinded && rule?.[name] !== undefined);

/** The values in the order in which the study declares their names: "Lyon · b" */
export const groupText = (properties: Properties | undefined, declared: readonly Property[] = []): string =>
  declared
    .flatMap(({ name }) => properties?.[name] ?? [])
    .concat(
      Object.entries(properties ?? {})
        .filter(([name]) => !declared.some((property) => property.name === name))
        .map(([, value]) => value),
    )
    .join(' · ');

/** A rule in words: "Lyon or Paris", and with several names "site Lyon or Paris and arm b" */
export function ruleText(rule: PropertyRule): string {
  const entries = Object.entries(rule);
  const [only] = entries;
  return only && entries.length === 1
    ? formatChoice(only[1])
    : formatList(entries.map(([name, values]) => `${name} ${formatChoice(values)}`));
}

/** The merge patch between two; undefined if nothing changes. */
export function patchOf(
  before: Properties | undefined,
  after: Properties,
): Record<string, string | null> | undefined {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before?.[name] !== after[name]);
  return changed.length > 0
    ? Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
    : undefined;
}

/** The name of a form's field for a property. */
export const fieldOf = (name: string): string => `property ${name}`;

/** The properties that a form has; empty fields are absent. */
export const propertiesIn = (form: FormData, declared: readonly Property[]): Properties =>
  Object.fromEntries(
    declared
      .map(({ name }) => [name, String(form.get(fieldOf(name)) ?? '')] as const)
      .filter(([, value]) => value !== ''),
  );

/** The properties of somebody or something after a form: those that the form does not have stay. */
export function changedIn(
  form: FormData,
  before: Properties | undefined,
  declared: readonly Property[],
): Properties {
  const asked = declared.filter(({ name }) => form.has(fieldOf(name)));
  const kept = Object.entries(before ?? {}).filter(([name]) => !form.has(fieldOf(name)));
  return { ...Object.fromEntries(kept), ...propertiesIn(form, asked) };
}

/** The name of a form's boxes for the values of a property; `of` tells several rules of one form apart. */
export const boxesOf = (name: string, of = ''): string => `rule ${of} ${name}`;

/** The rule that a form has; null if no box is ticked. */
export function ruleIn(form: FormData, declared: readonly Property[], of = ''): PropertyRule | null {
  const entries = declared
    .map(({ name }) => [name, form.getAll(boxesOf(name, of)).map(String)] as const)
    .filter(([, values]) => values.length > 0);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
