import canonicalize from 'canonicalize';
import { sha256 } from '../identifiers.ts';
import type { Role } from '../permissions/roles.ts';

/** The change as an entry of the log tells it. */
export interface Change {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** The old and new values of the fields that differ; undefined if none does. */
export function changeOf<T extends object>(before: T, after: T): Change | undefined {
  const changed = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => canonicalize(before[field]) !== canonicalize(after[field]),
  );
  if (changed.length === 0) return undefined;
  const pick = (from: T) => Object.fromEntries(changed.map((field) => [field, from[field]]));
  return { before: pick(before), after: pick(after) };
}

/** A row has at most 2 MB, and a survey's items alone may have one. */
const maxCharacters = 100_000;

/** Values that are too long for the log are replaced by their length and SHA-256 in canonical JSON (RFC 8785). */
export async function bounded(details: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { before, after, ...rest } = details;
  return {
    ...rest,
    ...(isRecord(before) && { before: await shortened(before) }),
    ...(isRecord(after) && { after: await shortened(after) }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

async function shortened(fields: Record<string, unknown>) {
  const values = await Promise.all(Object.entries(fields).map(shortenedField));
  return Object.fromEntries(values);
}

async function shortenedField([name, value]: [string, unknown]) {
  const text = canonicalize(value) ?? '';
  if (text.length <= maxCharacters) return [name, value];
  return [name, { characters: text.length, sha256: await sha256(text) }];
}

/** The log's details of a membership that begins, changes or ends; null stands for no role. */
export const roleChange = (member: string, before: Role | null, after: Role | null) => ({
  member,
  before: { role: before },
  after: { role: after },
});
