import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { forbidden, invalid, invalidParameter } from '../errors.ts';
import type { GivenProperties, Property, PropertyRule } from './groups.ts';
import type { Role } from './roles.ts';

/** One row: the properties that a study declares. */
export const selectDeclared = (db: Database, investigation: string) =>
  query<{ properties: readonly Property[] | null }>(
    db,
    `select course -> '$.properties' as properties from investigation where id = :investigation`,
    { investigation },
    { properties: JSON.parse },
  );

/** The properties that members of a role know of: blinded ones are owners' alone. */
export function knownTo(role: Role, declared: readonly Property[] | null | undefined): readonly Property[] {
  if (role === 'owner') return declared ?? [];
  return role === 'responder' ? [] : (declared ?? []).filter(({ blinded }) => !blinded);
}

/** A value or values by name; null takes a value away. */
type Named = Readonly<Record<string, string | null | readonly string[]>>;

/** Why a name or a value is none that the reader knows of; undefined: all are. */
function unknownIn(given: Named, known: readonly Property[]): { name: string; detail: string } | undefined {
  for (const [name, wanted] of Object.entries(given)) {
    const property = known.find((one) => one.name === name);
    if (!property) return { name, detail: expectedName(known) };
    const isValue = (value: string) => property.values.includes(value);
    if (wanted !== null && ![wanted].flat().every(isValue))
      return { name, detail: `Expected a value that the study declares for “${name}”.` };
  }
  return undefined;
}

/** The first name of a rule that is not known, or has a value that is not; undefined: all are. */
export const unknownName = (rule: PropertyRule, known: readonly Property[]): string | undefined =>
  unknownIn(rule, known)?.name;

const expectedName = (known: readonly Property[]) =>
  known.length === 0
    ? 'Expected the name of a property that the study declares: it declares none.'
    : `Expected the name of a property that the study declares: ${known.map(({ name }) => name).join(', ')}.`;

/** @param known as {@link knownTo} has them @param pointer to the names @throws request.invalid */
export function requireKnown(given: Named, known: readonly Property[], pointer: string): void {
  const unknown = unknownIn(given, known);
  if (unknown) throw invalid(`${pointer}/${unknown.name}`, unknown.detail);
}

/** The same for the parameter `property` of a list. @throws request.invalid */
export function requireKnownFilter(filter: PropertyRule | undefined, known: readonly Property[]): void {
  const unknown = filter && unknownIn(filter, known);
  if (unknown) throw invalidParameter('property', unknown.detail);
}

/**
 * The properties of something that a scoped member of staff makes: names of the scope with one value are filled in.
 * @throws request.invalid for something that they would not see
 */
export function withinScope(scope: PropertyRule | null, given: GivenProperties): GivenProperties {
  const filled: Record<string, string> = { ...given };
  for (const [name, values] of Object.entries(scope ?? {})) {
    const value = given[name] ?? (values.length === 1 ? values[0] : undefined);
    if (value === undefined || !values.includes(value))
      throw invalid(`/properties/${name}`, `Expected a value that you see: ${values.join(', ')}.`);
    filled[name] = value;
  }
  return filled;
}

/** Nobody moves people or cases out of the part that they see. @throws action.forbidden */
export function requireOwnScope(scope: PropertyRule | null, changed: Named): void {
  const name = Object.keys(changed).find((one) => one in (scope ?? {}));
  if (name !== undefined)
    throw forbidden(`You see a part of the study by “${name}”, which those who see all of it change.`);
}
