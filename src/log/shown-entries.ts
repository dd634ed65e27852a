import canonicalize from 'canonicalize';
import type { Database } from '../db/database.ts';
import { overlaps, type PropertyRule } from '../permissions/groups.ts';
import { nobody } from '../permissions/shown-people.ts';
import type { Entry } from './chain.ts';
import { isPartial, knows, readSeen, type Seen, type Sight } from './sight.ts';

/*
 * The log as its readers see it. The hash of an entry covers all of it, so that an entry shown with less says so: links of
 * the chain are still checked, and its content is not. Values that could be guessed have a salt beside them, which goes with
 * them: otherwise the hash would tell which guess is right.
 */

/** An entry of the log, or the part of it that a reader sees. */
export type Shown<E extends Entry> = E & { redacted?: true };

type Details = Record<string, unknown>;

/** Entries as one reader sees them. One round trip for readers of a part, none for all others. */
export async function shownTo<E extends Entry>(
  db: Database,
  investigation: string,
  sight: Sight,
  entries: readonly E[],
): Promise<Shown<E>[]> {
  if (sight.role === 'owner') return [...entries];
  const seen =
    isPartial(sight) && entries.length > 0
      ? await readSeen(db, investigation, sight, namesIn(entries))
      : undefined;
  return entries.map((entry) => shownEntryTo(sight, seen, entry));
}

/** All that entries name. */
const namesIn = (entries: readonly Entry[]) => ({
  cases: new Set(entries.flatMap((entry) => [...entry.cases, ...textsIn(filterOf(entry).case)])),
  responses: new Set(entries.flatMap((entry) => entry.responses)),
  people: new Set(
    entries.flatMap((entry) => [entry.actorId, ...peopleIn(entry), ...textsIn(filterOf(entry).responder)]),
  ),
  codes: new Set(entries.flatMap(({ details }) => textsIn(details?.enrolment))),
});

const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** By which a lock found its items; empty for none. */
const filterOf = ({ details }: Entry): Details => (isRecord(details?.filter) ? details.filter : {});

/** The people whose membership an entry is about. */
const peopleIn = ({ details }: Entry): string[] => [
  ...textsIn(details?.member),
  ...membersIn(details).flatMap(({ member }) => textsIn(member)),
];

const membersIn = (details: Details | null): Details[] =>
  Array.isArray(details?.members) ? details.members.filter(isRecord) : [];

const isRecord = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param seen what the reader of a part sees; undefined: all that is named */
function shownEntryTo<E extends Entry>(sight: Sight, seen: Seen | undefined, entry: E): Shown<E> {
  if (!seen) return withDetails(entry, detailsTo(sight, undefined, entry));
  if (mentions(sight, entry)) return withoutContent(sight, seen, entry);

  const cases = entry.cases.filter((id) => seen.cases.has(id));
  const responses = entry.responses.filter((id) => seen.responses.has(id));
  const named = entry.cases.length + entry.responses.length;
  const isLess = cases.length + responses.length < named;
  const isAboutUnseen = peopleIn(entry).length > 0 && !peopleIn(entry).some((id) => seen.people.has(id));
  if (isAboutUnseen || (isLess && cases.length + responses.length === 0))
    return withoutContent(sight, seen, entry, isAboutUnseen);

  const details = hidesDetails(sight, entry) ? null : detailsTo(sight, seen, entry);
  const shown = withDetails({ ...entry, cases, responses }, details, isLess || sight.blinded);
  if (entry.details !== null && details === null && named === 0 && !isOfSeen(sight, seen, entry))
    return withoutContent(sight, seen, entry);
  if (isTelling(sight, seen, entry, shown)) return withoutContent(sight, seen, entry);
  return seen.people.has(entry.actorId) ? shown : byNobody(shown);
}

/**
 * With blinded properties every entry is shown as one with less, so that nobody sees which of them have more: the lock of
 * a response that is not shown would tell its person's arm.
 */
function withDetails<E extends Entry>(entry: E, details: Details | null, isLess = false): Shown<E> {
  const isWhole = canonicalize(details) === canonicalize(entry.details);
  if (isWhole && !isLess) return entry;
  const { salt: _, ...rest } = details ?? {};
  const isEmpty = Object.keys(rest).length === 0;
  return { ...entry, details: isEmpty ? null : rest, redacted: true };
}

/** Position, action, time and hash of an entry, and its actor if one of the staff. */
function withoutContent<E extends Entry>(
  sight: Sight,
  seen: Seen,
  entry: E,
  isAboutUnseen = false,
): Shown<E> {
  const shown = { ...entry, cases: [], responses: [], reason: null, details: null, signature: null };
  const isShown = !isAboutUnseen && isOfStaff(sight, seen, entry.actorId);
  return isShown ? { ...shown, redacted: true } : byNobody(shown);
}

const byNobody = <E extends Entry>(entry: E): Shown<E> => ({
  ...entry,
  actorId: nobody,
  ...('actorName' in entry && { actorName: null }),
  details: null,
  signature: null,
  redacted: true,
});

const isOfStaff = ({ actor }: Sight, { people }: Seen, user: string) =>
  people.get(user) === true || user === actor;

/** A participant did something to items none of which is shown, in a study with blinded surveys. */
const isTelling = (sight: Sight, seen: Seen, { actorId }: Entry, { cases, responses, details }: Entry) =>
  sight.blinded &&
  !isOfStaff(sight, seen, actorId) &&
  cases.length + responses.length === 0 &&
  details === null;

/**
 * The entry is a lock of items that a filter found, all of them in the reader's part of the study. Its reason may be about any of
 * them: of a filter that says nothing of groups, about somebody of another part. The items of one person or case may be of blinded
 * surveys alone, unless somebody with a scope locked them, who is no owner.
 */
function isOfSeen(sight: Sight, seen: Seen, entry: Entry): boolean {
  if (!entry.action.startsWith('items.')) return false;
  if (entry.actorId === sight.actor) return true;
  const filter = filterOf(entry);
  const rules = [filter.properties, entry.details?.scope].filter(isRecord) as PropertyRule[];
  const [ofCase, ofPerson] = [textsIn(filter.case), textsIn(filter.responder)];
  const isNarrow = ofCase.length + ofPerson.length > 0;
  return (
    rules.every((rule) => isKnown(sight, rule)) &&
    isWithin(sight.scope, rules) &&
    ofCase.every((id) => seen.cases.has(id)) &&
    ofPerson.every((id) => seen.people.has(id)) &&
    !(isNarrow && sight.blinded && !isRecord(entry.details?.scope))
  );
}

/** Things that fit all rules fit the scope. */
const isWithin = (scope: PropertyRule | null, rules: readonly PropertyRule[]) =>
  Object.entries(scope ?? {}).every(([name, values]) =>
    rules.some((rule) => rule[name]?.every((value) => values.includes(value))),
  );

/** The entry names a survey that the reader does not see. */
function mentions({ surveys }: Sight, { details }: Entry): boolean {
  if (details === null || surveys.length === 0) return false;
  const text = JSON.stringify(details);
  return surveys.some((id) => text.includes(`"${id}"`));
}

/** Details that count what the reader does not see: rows, and places of the feed. */
const counting = ['data.exported', 'webhook.replayed'];

function hidesDetails(sight: Sight, { action, details }: Entry): boolean {
  // Of a lock of items that a filter found.
  if (counting.includes(action) || details?.items !== undefined) return true;
  const group = details?.properties as PropertyRule | undefined;
  return action.endsWith('frozen') && group !== undefined && !overlaps(sight.scope, group);
}

/** Null: nothing of them is shown. */
function detailsTo(sight: Sight, seen: Seen | undefined, { action, details }: Entry): Details | null {
  if (details === null) return null;
  const { members, enrolment, ...rest } = details;
  const isOfProperties = action === 'member.properties-changed';
  const isCodeSeen = !seen || seen.codes.has(String(enrolment));
  const isAboutCode = enrolment !== undefined && details.member === undefined;
  const shown = isAboutCode && !isCodeSeen ? null : changeTo(sight, rest, isOfProperties);
  if (shown === null) return null;
  const list = membersIn(details)
    .filter(({ member }) => !seen || seen.people.has(String(member)))
    .flatMap((one) => changeTo(sight, one, isOfProperties) ?? []);
  if (members !== undefined && list.length === 0) return null;
  return {
    ...shown,
    ...(members !== undefined && { members: list }),
    ...(enrolment !== undefined && isCodeSeen && { enrolment }),
  };
}

/**
 * A change as far as the reader knows of its properties. Null: nothing else changed.
 * @param isOfProperties the entry says that properties changed, and so that hidden ones did if none is shown
 */
function changeTo(sight: Sight, change: Details, isOfProperties: boolean): Details | null {
  const { filter } = change;
  if (isRecord(filter) && !isKnown(sight, filter.properties ?? filter.property)) return null;
  // Of a freeze.
  if (!isKnown(sight, change.properties)) return null;
  const isOwn = change.member === sight.actor;
  const shown: Details = { ...change };
  for (const side of sides) if (isRecord(change[side])) shown[side] = sideTo(sight, change[side], isOwn);
  const [before, after] = sides.map((side) => shown[side]);
  // A survey that is for a hidden group, before or after, and properties that differ in hidden ones alone.
  const isForHidden = sides.some((side) => isRecord(change[side]) && !isKnown(sight, change[side].for));
  for (const side of [before, after].filter(isRecord)) {
    if (isForHidden) delete side.for;
  }
  if (isRecord(before) && isRecord(after) && isSame(before.properties, after.properties)) {
    delete before.properties;
    delete after.properties;
  }
  const isEmptied =
    sides.some((side) => hasFields(change[side])) && !sides.some((side) => hasFields(shown[side]));
  const had = sides.some((side) => isRecord(change[side]) && 'properties' in change[side]);
  const has = sides.some((side) => isRecord(shown[side]) && 'properties' in shown[side]);
  if (isOfProperties && had && !has) return null;
  if (!isEmptied || 'code' in change) return shown;
  const { before: _, after: __, ...rest } = shown;
  return sides.every((side) => isScopeAlone(change[side])) ? rest : null;
}

/** The person of such a change is shown, and the part of the study itself only to owners and to that person. */
const isScopeAlone = (side: unknown) => isRecord(side) && Object.keys(side).join() === 'scope';

const sides = ['before', 'after'] as const;

const isSame = (one: unknown, other: unknown) => canonicalize(one) === canonicalize(other);
const hasFields = (side: unknown) => isRecord(side) && Object.keys(side).length > 0;

/** The reader knows of all names of a rule. */
const isKnown = (sight: Sight, rule: unknown): boolean =>
  !isRecord(rule) || Object.keys(rule).every((name) => knows(sight, name));

function sideTo(sight: Sight, { properties, scope, lockPolicy, ...side }: Details, isOwn: boolean): Details {
  return {
    ...side,
    ...(properties !== undefined && propertiesTo(sight, properties)),
    // Owners give scopes, and see them with those who have them.
    ...(scope !== undefined && isOwn && { scope }),
    ...(lockPolicy !== undefined && { lockPolicy: policyTo(sight, lockPolicy) }),
  };
}

/** Those of a person, or those that a study declares. */
function propertiesTo(sight: Sight, properties: unknown): { properties?: unknown } {
  if (Array.isArray(properties))
    return { properties: properties.filter((one) => isRecord(one) && knows(sight, String(one.name))) };
  if (!isRecord(properties)) return { properties };
  const shown = Object.entries(properties).filter(([name]) => knows(sight, name));
  return shown.length > 0 ? { properties: Object.fromEntries(shown) } : {};
}

/** With the groups of the reader's part of the study, as the study itself has them. */
function policyTo(sight: Sight, policy: unknown): unknown {
  if (!isRecord(policy) || !Array.isArray(policy.groups)) return policy;
  const { groups: _, ...rest } = policy;
  const shown = policy.groups.filter(
    (one) =>
      isRecord(one) &&
      isKnown(sight, one.properties) &&
      overlaps(sight.scope, one.properties as PropertyRule),
  );
  if (shown.length === policy.groups.length) return policy;
  return { ...rest, ...(shown.length > 0 && { groups: shown }) };
}
