/** Moments that lie closer together are the same: nobody sees which attempt or which round trip came first. */
const sameMs = 10_000;

export interface Difference {
  /** A sentence. */
  what: string;
  /** The same thing happened at another time, as when an attempt was repeated after another delay. */
  onlyWhen: boolean;
}

/** Each place where two outcomes differ. */
export function differencesOf(before: unknown, after: unknown, place = ''): Difference[] {
  if (isSame(before, after)) return [];
  if (!isList(before) || !isList(after)) {
    const what = `${place}: ${show(before)}, now ${show(after)}`;
    return [{ what, onlyWhen: isInstant(before) && isInstant(after) }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differencesOf(before[key], after[key], place === '' ? key : `${place} > ${key}`),
  );
}

const isList = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isInstant = (value: unknown): value is string => typeof value === 'string' && instant.test(value);

function isSame(a: unknown, b: unknown): boolean {
  if (isInstant(a) && isInstant(b)) return Math.abs(Date.parse(a) - Date.parse(b)) < sameMs;
  if (typeof a === 'string' && typeof b === 'string') return withoutTimes(a) === withoutTimes(b);
  return a === b;
}

/** Notes name instants. */
const withoutTimes = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');

const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
