import { type AnswerOf, api } from '../../api.ts';
import type { Question } from '../../names.ts';
import { strings } from './item-strings.ts';

/** The items of the survey in their order, then those that were removed since and have an answer or a reason. */
export function questionsOf(
  items: readonly Question[],
  { items: answers, reasons }: { items: object; reasons: object },
): (Question & { isDropped?: boolean })[] {
  const known = new Set(items.map(({ identifier }) => identifier));
  const dropped = [...new Set([...Object.keys(answers), ...Object.keys(reasons)])]
    .filter((key) => !known.has(key))
    .map((key) => ({ identifier: key, label: key, isDropped: true }));
  return [...items.map((item) => ({ ...item, label: item.label || item.identifier })), ...dropped];
}

const route = api.response[':id'].revisions;

/** A revision of a response. */
export type Revision = AnswerOf<typeof route.$get>['revisions'][number];

/** When an answer of a revision was given: by the oldest revision, of those that are loaded, that has it without a break. */
export function givenIn(revisions: readonly Revision[], n: number, key: string): string | undefined {
  const answer = revisions[n]?.items[key];
  let oldest = n;
  while (revisions[oldest + 1]?.items[key] === answer && oldest + 1 < revisions.length) oldest++;
  const revision = revisions[oldest];
  return revision && (revision.givenAt ?? madeAt(revision));
}

/** When the service made a revision, to the millisecond: the first 48 bits of its identifier (RFC 9562, UUIDv7). */
const madeAt = ({ identifier }: Revision) =>
  new Date(Number.parseInt(identifier.slice(0, 12), 16)).toISOString();

const maxChange = 200;

/** An answer in a list of changes. */
export const shorten = (answer = ''): string =>
  answer === ''
    ? strings.response.noAnswer
    : answer.length > maxChange
      ? `${answer.slice(0, maxChange)}…`
      : answer;
