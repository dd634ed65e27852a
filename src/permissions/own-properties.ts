import type { GivenProperties, OwnProperties, Property, PropertyRule } from './groups.ts';

type Properties = OwnProperties | GivenProperties | null | undefined;

/** Values by name, of properties as they are stored or given. */
export const valuesOf = (properties: Properties): GivenProperties =>
  Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, own]) => [name, typeof own === 'string' ? own : own[0]]),
  );

/** The values that somebody knows of, as `knownTo` tells; undefined: none. */
export function knownValues(
  properties: Properties,
  known: readonly Property[],
): Record<string, string> | undefined {
  const shown = Object.entries(valuesOf(properties)).filter(([name]) =>
    known.some((property) => property.name === name),
  );
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}

/** Whether people and cases with these properties fit a rule, as `fits` says it in SQL; everybody fits a null rule. */
export function isWithin(rule: PropertyRule | null, properties: Properties): boolean {
  const values = valuesOf(properties);
  return Object.entries(rule ?? {}).every(([name, allowed]) => {
    const value = values[name];
    return value !== undefined && allowed.includes(value);
  });
}

/** Given properties as they are stored, from an instant (epoch ms) on; null: none. */
export const ownFrom = (given: GivenProperties, now: number): OwnProperties | null =>
  nullIfEmpty(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value, now]])));

/** The properties of somebody that a study still declares, after it has given up some names or values; null: none. */
export const stillDeclared = (
  properties: OwnProperties | null,
  declared: readonly Property[],
): OwnProperties | null =>
  nullIfEmpty(
    Object.fromEntries(
      Object.entries(properties ?? {}).filter(([name, [value]]) =>
        declared.some((one) => one.name === name && one.values.includes(value)),
      ),
    ),
  );

export const nullIfEmpty = <T extends object>(map: T): T | null => (Object.keys(map).length > 0 ? map : null);

/** Whether one of the names is of a blinded property. */
export const namesBlinded = (named: object | null | undefined, declared: readonly Property[]): boolean =>
  declared.some(({ name, blinded }) => blinded && named && name in named);
