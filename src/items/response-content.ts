import { invalid, Problem } from '../errors.ts';
import { bytesOf } from '../permissions/limits.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';
import { checkAnswers } from './answer-kinds.ts';
import type { Answers, Reasons } from './schema.ts';

/** The content of a response: for each item of the survey an answer, or the number of a reason. */
export interface Content {
  items: Answers;
  reasons: Reasons;
}

/** Merge patches (RFC 7396) for the two maps: null removes a key. */
export interface ContentChange {
  items?: Record<string, string | null> | undefined;
  reasons?: Record<string, number | null> | undefined;
}

/** Merge patches of both maps. */
export interface ContentPatch {
  items: Record<string, string | null>;
  reasons: Record<string, number | null>;
}

/** UTF-8 bytes of the content, or of a patch, as it is stored. */
export const contentBytes = ({ items, reasons }: ContentPatch) => bytesOf(items) + bytesOf(reasons);

/** The patch from one content to another: the values that differ, and null for those that are gone. */
export const patchOf = (before: Content, after: Content): ContentPatch => ({
  items: patchOfMap(before.items, after.items),
  reasons: patchOfMap(before.reasons, after.reasons),
});

function patchOfMap<T>(before: Record<string, T>, after: Record<string, T>): Record<string, T | null> {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
  return Object.fromEntries([...gone.map((key): [string, null] => [key, null]), ...changed]);
}

export const isSameContent = (a: Content, b: Content) =>
  isSameMap(a.items, b.items) && isSameMap(a.reasons, b.reasons);

const isSameMap = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => Object.hasOwn(b, key) && b[key] === value);

/** @throws request.invalid for a key that is no item of the survey */
function checkContent(surveyItems: SurveyItem[], { items, reasons }: Required<ContentChange>) {
  const identifiers = new Set(surveyItems.map((item) => item.identifier));
  for (const [field, map] of Object.entries({ items, reasons }))
    for (const key of Object.keys(map ?? {}))
      if (!identifiers.has(key))
        // No escaping: identifiers of items have none of the characters that a JSON pointer escapes.
        throw invalid(
          `/${field}/${key}`,
          'The survey has no such item: expected the identifier of one of its items.',
        );
}

/** The problem of a new response that does not fit the survey. */
export function misfitOf(surveyItems: SurveyItem[], content: Content): Problem | undefined {
  try {
    checkContent(surveyItems, content);
    checkAnswers(surveyItems, content.items);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return undefined;
}

/**
 * The content after a change. A key that the response has already may stay and change after the survey dropped its item.
 * @throws request.invalid
 */
export function mergeContent(surveyItems: SurveyItem[], before: Content, change: ContentChange): Content {
  checkContent(surveyItems, {
    items: newKeys(before.items, change.items),
    reasons: newKeys(before.reasons, change.reasons),
  });
  const after = {
    items: merge(before.items, change.items),
    reasons: merge(before.reasons, change.reasons),
  };
  checkSize(after);
  checkAnswers(surveyItems, after.items, before.items);
  return after;
}

const newKeys = <T>(map: Record<string, unknown>, patch: Record<string, T> = {}) =>
  Object.fromEntries(Object.entries(patch).filter(([key]) => !Object.hasOwn(map, key)));

function merge<T>(map: Record<string, T>, patch: Record<string, T | null> | undefined): Record<string, T> {
  const merged = Object.entries({ ...map, ...patch }).filter(
    (entry): entry is [string, T] => entry[1] !== null,
  );
  return Object.fromEntries(merged);
}

/** The size of one request body, and well below the 2 MB that D1 allows in a row. */
const maxBytes = 1024 * 1024;

function checkSize(content: Content) {
  if (bytesOf(content) > maxBytes) throw invalid('/items', 'Expected a response of at most 1 MiB in all.');
}
