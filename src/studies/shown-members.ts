import { knownTo } from '../permissions/declared-properties.ts';
import type { GivenProperties, OwnProperties, Property, PropertyRule } from '../permissions/groups.ts';
import { isWithin, knownValues, namesBlinded, nullIfEmpty, valuesOf } from '../permissions/own-properties.ts';
import type { Role } from '../permissions/roles.ts';
import { shownTo } from '../permissions/shown-people.ts';
import type { Me } from '../permissions/visibility.ts';

/** The code of a study by which a member enrolled. */
export interface ShownEnrolment {
  identifier: string;
  label: string | null;
  /** Those of the people who use it; absent where the code is known to be seen. */
  properties?: GivenProperties | null;
}

/** A member as their row is read. */
interface Row {
  id: string;
  code: string | null;
  invitedAs: string | null;
  enrolment?: ShownEnrolment | null;
  dates?: object | null;
  participation?: object | null;
  properties: OwnProperties | null;
  scope: PropertyRule | null;
}

/** The reader of members, and the properties that the study declares. */
export interface Reader {
  me: Me;
  actor: string;
  declared: readonly Property[] | null | undefined;
}

/** Whether somebody sees codes with these properties: those of blinded ones are for owners, others within a scope. */
export const seesCode = (
  { me, declared }: Omit<Reader, 'actor'>,
  properties: GivenProperties | null | undefined,
): boolean =>
  me.role === 'owner' || (!namesBlinded(properties, declared ?? []) && isWithin(me.scope, properties));

/** Owners are shown what a study has given up, too. */
const shownValues = (role: Role, properties: OwnProperties | null, declared: Reader['declared']) =>
  role === 'owner'
    ? nullIfEmpty(valuesOf(properties))
    : (knownValues(properties, knownTo(role, declared)) ?? null);

/**
 * A member as the reader sees them: properties that they know of, and scopes for owners and oneself. Staff outside of the reader's
 * scope are a name and a role.
 */
export function shownMember<T extends Row>(row: T, reader: Reader) {
  const { me, actor, declared } = reader;
  const isOwn = row.id === actor;
  const role = isOwn || isWithin(me.scope, row.properties) ? me.role : 'responder';
  const shown = shownTo(role, row);
  return {
    ...shown,
    enrolment: shown.enrolment && seesCode(reader, shown.enrolment.properties) ? shown.enrolment : null,
    properties: shownValues(role, row.properties, declared),
    scope: me.role === 'owner' || isOwn ? row.scope : null,
  };
}
