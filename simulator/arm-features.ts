/** One answer, as it was read about a study: its question with identifiers left out, and whom it was asked about. */
export interface Reading {
  question: string;
  /** The participant whom the question names; null: nobody. */
  about: string | null;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  body: any;
}

/** A participant with all identifiers, codes and names by which an answer may mean them. */
export interface Watched {
  id: string;
  means: readonly string[];
}

/** Numbers by feature, of one participant. */
export type Features = Map<string, number>;

const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);
const dayMs = 86_400_000;

/**
 * Every number that can be found near each participant in what was read: counts of elements that mention them, their places,
 * their numbers, lengths, instants, short texts, and how far each number is from that of the element before.
 */
export function featuresOf(readings: readonly Reading[], watched: readonly Watched[]): Map<string, Features> {
  const all = new Map<string, Features>(watched.map(({ id }) => [id, new Map()]));
  for (const { question, about, status, body } of readings) {
    if (about !== null) {
      const features = all.get(about);
      if (!features) continue;
      add(features, `${question} status`, status);
      note(features, question, body, undefined);
      continue;
    }
    for (const { list, path } of listsIn(body))
      for (const [n, element] of list.entries()) {
        const text = JSON.stringify(element);
        for (const { id, means } of watched) {
          if (!means.some((one) => text.includes(one))) continue;
          const features = all.get(id) as Features;
          const label = `${question} ${path}`;
          add(features, `${label} elements`, 1);
          add(features, `${label} place`, n);
          note(features, label, element, list[n - 1]);
        }
      }
  }
  return all;
}

const add = (features: Features, name: string, value: number) =>
  features.set(name, (features.get(name) ?? 0) + value);

/** All lists of objects, and the lines of a table. */
function listsIn(body: unknown, path = ''): { list: unknown[]; path: string }[] {
  if (typeof body === 'string') return [{ list: body.split('\n'), path: `${path} lines` }];
  if (body === null || typeof body !== 'object') return [];
  if (Array.isArray(body))
    return [{ list: body, path }, ...body.flatMap((one) => listsIn(one, `${path}[]`))].filter(
      ({ list }) => list.length > 0,
    );
  return Object.entries(body).flatMap(([key, value]) => listsIn(value, `${path}.${key}`));
}

/** Notes a value, with the values inside it; `before` stands at the same place of the element before. */
function note(features: Features, path: string, value: unknown, before: unknown): void {
  if (value === null || value === undefined) add(features, `${path} nothing`, 1);
  else if (typeof value === 'number') {
    add(features, path, value);
    if (typeof before === 'number') add(features, `${path} gap`, value - before);
  } else if (typeof value === 'boolean') add(features, `${path} ${value}`, 1);
  else if (typeof value === 'string') noteText(features, path, value, before);
  else noteInside(features, path, value as object, before);
}

function noteInside(features: Features, path: string, value: object, before: unknown) {
  add(features, `${path} length`, JSON.stringify(value).length);
  const list = Array.isArray(value);
  if (list) add(features, `${path} elements`, value.length);
  for (const [key, inner] of Object.entries(value)) {
    const at = list ? `${path}[]` : `${path}.${key.replaceAll(/[0-9a-f]{32}/g, '#')}`;
    note(features, at, inner, list ? value[Number(key) - 1] : (before as Record<string, unknown>)?.[key]);
  }
}

function noteText(features: Features, path: string, text: string, before: unknown) {
  add(features, `${path} length`, text.length);
  if (isInstant(text)) {
    const at = Date.parse(text);
    add(features, `${path} at`, at);
    add(features, `${path} time`, at % dayMs);
    add(features, `${path} ms`, at % 1000);
    if (typeof before === 'string' && isInstant(before))
      add(features, `${path} gap`, at - Date.parse(before));
  } else if (text.length <= 60 && !/[0-9a-f]{16}/.test(text)) add(features, `${path}=${text}`, 1);
}

/** The people of one study, in what was read, and whether each is in arm b. */
export interface Labelled {
  features: Map<string, Features>;
  isB: Map<string, boolean>;
}

export interface Rule {
  feature: string;
  /** Whether more of it means arm b. */
  more: boolean;
  /** Within each study: more than half of its people have, or more than halfway from the least to the most. */
  than: 'median' | 'halfway';
}

/** The number of a feature within one study that tells more of it from less. */
function cutOf({ features }: Labelled, { feature, than }: Pick<Rule, 'feature' | 'than'>): number {
  const values = [...features.values()].map((one) => one.get(feature) ?? 0).sort((a, b) => a - b);
  if (than === 'halfway') return ((values[0] ?? 0) + (values.at(-1) ?? 0)) / 2;
  const half = values.length / 2;
  return ((values[Math.floor(half - 0.5)] ?? 0) + (values[Math.floor(half)] ?? 0)) / 2;
}

/** How many of the people a rule tells: those on its side of the middle, and half of those in the middle. */
function told(study: Labelled, rule: Rule): number {
  const { feature, more } = rule;
  const middle = cutOf(study, rule);
  let right = 0;
  for (const [id, features] of study.features) {
    const value = features.get(feature) ?? 0;
    if (value === middle) right += 0.5;
    else if ((value > middle === more) === (study.isB.get(id) === true)) right++;
  }
  return right;
}

/** The single feature that tells the arms of some studies best. */
export function learnt(studies: readonly Labelled[]): Rule & { right: number } {
  const names = new Set(
    studies.flatMap(({ features }) => [...features.values()].flatMap((one) => [...one.keys()])),
  );
  let best: Rule & { right: number } = { feature: '', more: true, than: 'median', right: 0 };
  for (const feature of names)
    for (const than of ['median', 'halfway'] as const)
      for (const more of [true, false]) {
        const right = studies.reduce((sum, study) => sum + told(study, { feature, more, than }), 0);
        if (right > best.right) best = { feature, more, than, right };
      }
  return best;
}

/** Guesses the arms of other studies; people in the middle are guessed by a coin. */
export function guessed(studies: readonly Labelled[], rule: Rule, coin: () => boolean) {
  const { feature, more } = rule;
  let [right, of] = [0, 0];
  for (const study of studies) {
    const middle = cutOf(study, rule);
    for (const [id, features] of study.features) {
      const value = features.get(feature) ?? 0;
      const guess = value === middle ? coin() : value > middle === more;
      if (guess === study.isB.get(id)) right++;
      of++;
    }
  }
  return { right, of };
}

/** The fewest right guesses of so many that a fair coin reaches with this probability at most. */
export function beyondChance(of: number, probability: number): number {
  let tail = 0;
  let ways = 0.5 ** of;
  for (let right = of; right >= 0; right--) {
    tail += ways;
    if (tail > probability) return right + 1;
    ways = (ways * right) / (of - right + 1);
  }
  return 0;
}
