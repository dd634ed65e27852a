import type { Context } from '../context.ts';
import type { Revision } from '../log/item-revisions.ts';
import { pageBytes } from '../permissions/limits.ts';
import { type Coding, type Codings, createCodings, keyOf } from './codings.ts';
import { readValueTimes, type ValueTimes } from './value-times.ts';

/** Answers to a survey, and when they were given and last revised (epoch ms). */
export interface Answered {
  /** The response, if it was edited. */
  edited: string | null;
  survey: string;
  items: Readonly<Record<string, string>>;
  givenAt: number;
  revisedAt: number;
}

export type Labels = Record<string, string>;

/** A value of an answer, with its label if it has one. */
interface Part {
  value: string;
  label: string | undefined;
}

interface Answer {
  item: string;
  answer: string;
  /** The revision of the survey that it answers. */
  of: Revision;
}

interface Work {
  answers: Answer[];
  revised: Revision;
  parts: Map<string, Part[]>;
}

/** Rows that are labelled at once, by their number and the characters of their answers: labels may be 250 times as long. */
const chunk = { rows: 100, characters: 20_000 };

/**
 * Finds the labels of answers as they were when the answers were given, or when an edit gave them their value. A value that
 * had none then has that of the response's last revision. Made once for each request.
 */
export function createMeanings(context: Context, investigation: string) {
  const codings = createCodings(context, investigation);

  /** Goes on with the parts of these answers, each by a revision. */
  async function find(some: readonly [Work, Answer, Revision][]) {
    const byRevision = Map.groupBy(some, ([, , revision]) => keyOf(revision));
    await codings.each(
      some.map(([, , revision]) => revision),
      (key, found) => {
        for (const [{ parts }, answer] of byRevision.get(key) ?? []) addParts(parts, answer, found);
        byRevision.delete(key);
      },
    );
  }

  /** When the answers of edited rows got their values, as far as the survey has changed between. */
  const timesOf = (rows: readonly Answered[]) => {
    const since = ({ survey }: Answered, at: number) => codings.revisionAt(survey, at).since;
    const edited = rows.flatMap((row) =>
      row.edited !== null && since(row, row.givenAt) !== since(row, row.revisedAt) ? [row.edited] : [],
    );
    return edited.length > 0 ? readValueTimes(context, edited) : new Map<string, ValueTimes>();
  };

  async function labelsOf(rows: readonly Answered[]): Promise<Labels[]> {
    await codings.know(rows.map(({ survey }) => survey));
    const times = await timesOf(rows);
    const work = rows.map(({ edited, survey, items, givenAt, revisedAt }): Work => {
      const own = times.get(edited ?? '');
      return {
        answers: Object.entries(items).flatMap(([item, answer]) =>
          answer === '' ? [] : [{ item, answer, of: codings.revisionAt(survey, own?.get(item) ?? givenAt) }],
        ),
        revised: codings.revisionAt(survey, revisedAt),
        parts: new Map(),
      };
    });
    const all = work.flatMap((row) => row.answers.map((answer) => ({ row, answer })));
    await find(all.map(({ row, answer }) => [row, answer, answer.of]));
    const lacking = all.filter(
      ({ row, answer }) => answer.of.since !== row.revised.since && lacksSome(row, answer),
    );
    await find(lacking.map(({ row, answer }) => [row, answer, row.revised]));
    return work.map(({ parts }) => Object.fromEntries([...parts].flatMap(textOf)));
  }

  return {
    /**
     * The labels of each row's answers, by item: only of answers that have some. Ends behind the row with which a page is
     * full: the rest is on the next one.
     */
    async label<T extends { bytes: number }>(rows: readonly T[], answersOf: (row: T) => Answered) {
      const labelled: (T & { labels: Labels })[] = [];
      let total = 0;
      // Of two rows the second one tells that there is another page.
      const isFull = () => labelled.length > 1 && total > pageBytes;
      for (let done = 0; done < rows.length && !isFull(); ) {
        const answers = rows.slice(done, done + chunk.rows).map(answersOf);
        const next = rows.slice(done, done + lengthOfChunk(answers));
        const found = await labelsOf(answers.slice(0, next.length));
        for (const [n, row] of next.entries()) {
          if (isFull()) break;
          const labels = found[n] ?? {};
          const bytes = row.bytes + JSON.stringify(labels).length;
          labelled.push({ ...row, labels, bytes });
          total += bytes;
        }
        done += next.length;
      }
      return labelled;
    },
  };
}

function addParts(parts: Work['parts'], { item, answer }: Answer, codings: Codings) {
  const coding = codings.get(item);
  const before = parts.get(item);
  if (before) parts.set(item, relabelled(before, coding));
  else if (coding) parts.set(item, partsOf(answer, coding));
}

const partsOf = (answer: string, { isList, labels }: Coding): Part[] =>
  (isList ? answer.split(' ') : [answer]).map((value) => ({ value, label: labels.get(value) }));

const relabelled = (parts: Part[], coding: Coding | undefined) =>
  parts.map(({ value, label }) => ({ value, label: label ?? coding?.labels.get(value) }));

const lacksSome = ({ parts }: Work, { item }: Answer) =>
  parts.get(item)?.every(({ label }) => label !== undefined) !== true;

const textOf = ([item, parts]: [string, Part[]]): [string, string][] =>
  parts.some(({ label }) => label !== undefined)
    ? [[item, parts.map(({ value, label }) => label ?? value).join('; ')]]
    : [];

/** At least one. */
function lengthOfChunk(rows: readonly Answered[]): number {
  let [characters, length] = [0, 0];
  for (const { items } of rows) {
    for (const answer of Object.values(items)) characters += answer.length;
    if (length > 0 && characters > chunk.characters) break;
    length += 1;
  }
  return length;
}
