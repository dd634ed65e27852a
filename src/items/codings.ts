import type { Context } from '../context.ts';
import { type ItemChange, type Revision, readItemChanges, readRevisions } from '../log/item-revisions.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';

/** The labels of an item's values. */
export interface Coding {
  /** Answers are several values, separated by spaces. */
  isList: boolean;
  labels: ReadonlyMap<string, string>;
}

/** The labels of a survey's answers by item: only of items whose values have some. */
export type Codings = ReadonlyMap<string, Coding>;

const codingsOf = (items: readonly SurveyItem[]): Codings =>
  new Map(
    items.flatMap(({ identifier, answer }): [string, Coding][] => {
      if (answer?.kind === 'yes-no') return [[identifier, yesOrNo]];
      if (!answer || !('options' in answer) || !answer.options) return [];
      const labels = new Map(answer.options.map(({ value, label }) => [value, label]));
      return [[identifier, { isList: answer.kind === 'choices', labels }]];
    }),
  );

const yesOrNo: Coding = {
  isList: false,
  labels: new Map([
    ['yes', 'Yes'],
    ['no', 'No'],
  ]),
};

/** Characters of labels that are kept for later rows. */
const keptCharacters = 2_000_000;

/** Reads the labels of surveys as they were, and keeps some. Made once for each request. */
export function createCodings(context: Context, investigation: string) {
  const changes = new Map<string, ItemChange[]>();
  const kept = new Map<string, { codings: Codings; characters: number }>();
  let characters = 0;

  function keep(key: string, codings: Codings) {
    const size = sizeOf(codings);
    characters += size;
    kept.set(key, { codings, characters: size });
    for (const [oldest, { characters: freed }] of kept) {
      if (characters <= keptCharacters) break;
      kept.delete(oldest);
      characters -= freed;
    }
  }

  return {
    /** Reads when these surveys changed, for {@link revisionAt}. */
    async know(surveys: Iterable<string>) {
      const unknown = [...new Set(surveys)].filter((survey) => !changes.has(survey));
      for (const [survey, read] of await readItemChanges(context, investigation, unknown))
        changes.set(survey, ascending(read));
    },

    /** The revision of a survey at an instant. */
    revisionAt(survey: string, at: number): Revision {
      const all = changes.get(survey) ?? [];
      return { survey, since: all[countUntil(all, at) - 1]?.position ?? 0 };
    },

    /** Hands over the labels of each revision once. */
    async each(revisions: readonly Revision[], take: (key: string, codings: Codings) => void) {
      const missing = new Map<string, Revision>();
      for (const [key, revision] of new Map(revisions.map((one) => [keyOf(one), one]))) {
        const known = kept.get(key);
        if (known) take(key, known.codings);
        else missing.set(key, revision);
      }
      for await (const [revision, items] of readRevisions(context, investigation, [...missing.values()])) {
        const codings = codingsOf(items ?? []);
        take(keyOf(revision), codings);
        keep(keyOf(revision), codings);
      }
    },
  };
}

export const keyOf = ({ survey, since }: Revision) => `${survey}/${since}`;

/** A clock that went back does not matter: a change counts from the latest time before it. */
function ascending(changes: readonly ItemChange[]): ItemChange[] {
  let latest = 0;
  return changes.map(({ position, at }) => {
    latest = Math.max(latest, at);
    return { position, at: latest };
  });
}

/** The number of changes until an instant, the instant included. */
function countUntil(changes: readonly ItemChange[], instant: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) > instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sizeOf(codings: Codings): number {
  let size = 100;
  for (const { labels } of codings.values()) for (const label of labels.values()) size += 50 + label.length;
  return size;
}
