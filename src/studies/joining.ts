import type { Database } from '../db/database.ts';
import { roleChange } from '../log/details.ts';
import type { GivenProperties, OwnProperties, Property, PropertyRule } from '../permissions/groups.ts';
import { ownFrom, stillDeclared, valuesOf } from '../permissions/own-properties.ts';
import type { Role } from '../permissions/roles.ts';
import { moveCases, noteRegrouped, type Regrouped } from './regrouping.ts';
import { isSame } from './scopes.ts';

/** The properties and the scope of somebody who joins. */
export interface Joining {
  properties: OwnProperties | null;
  scope: PropertyRule | null;
}

/** Given properties from now on, or else those that a former member had, as far as the study still declares them. */
export const joinsWith = (
  {
    properties,
    scope,
  }: { properties?: GivenProperties | null | undefined; scope?: PropertyRule | null | undefined },
  former: OwnProperties | null,
  { declared, now }: { declared: readonly Property[]; now: number },
): Joining => ({
  properties: stillDeclared(properties ? ownFrom(properties, now) : former, declared),
  scope: scope ?? null,
});

/** The log's details of a member who joins. */
export function joinDetails(member: string, role: Role, { properties, scope }: Joining) {
  const { after, ...details } = roleChange(member, null, role);
  return {
    ...details,
    after: { ...after, ...(properties && { properties: valuesOf(properties) }), ...(scope && { scope }) },
  };
}

/** Statements, behind those of the feed: the cases of somebody who comes back with other properties move along. */
export function regroup(db: Database, people: readonly (Regrouped & { role: Role })[]) {
  const changed = people.filter(({ before, after }) => !isSame(before, after));
  const participants = changed.filter(({ role }) => role === 'responder');
  return [...moveCases(db, participants), ...noteRegrouped(db, changed)];
}
