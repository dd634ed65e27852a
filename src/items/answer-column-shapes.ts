import { type Cell, negativeNumber } from '../http/lists/csv.ts';
import type { ChoiceValues } from './choice-values.ts';

/**
 * The columns of a table's answers: one for each item, or, of an item with `choices`, one for each value; then `other`, the
 * answers that they do not show.
 */
export function answerColumns(items: readonly string[], choices: ChoiceValues = new Map()) {
  const known = new Set(items);
  const values = new Map([...choices].map(([item, own]) => [item, new Set(own)]));
  const isShown = (item: string, answer: string) =>
    known.has(item) && (answer === '' || hasAll(values.get(item), answer));
  const header = [
    ...items.flatMap(
      (item) => choices.get(item)?.map((value) => `items.${item}/${value}`) ?? [`items.${item}`],
    ),
    'other',
  ];
  return {
    header,
    /** A row with the bytes of its cells, each of two characters at least: a page holds fewer wide ones. */
    widened: <T extends { bytes: number }>(row: T): T => ({ ...row, bytes: row.bytes + 2 * header.length }),
    cells(answers: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> = {}): Cell[] {
      const [given, labelled] = [new Map(Object.entries(answers)), new Map(Object.entries(labels))];
      return [
        ...items.flatMap((item): Cell[] => {
          const own = choices.get(item);
          if (own) return choiceCells(own, given.get(item));
          return [labelled.get(item) ?? answerCell(given.get(item))];
        }),
        jsonCell(Object.fromEntries([...given].filter(([item, answer]) => !isShown(item, answer)))),
      ];
    },
  };
}

const hasAll = (values: ReadonlySet<string> | undefined, answer: string) =>
  values?.isSupersetOf(new Set(answer.split(' '))) ?? true;

/** 1 for a value that was chosen, 0 for the others; nothing without an answer. */
function choiceCells(values: readonly string[], answer: string | undefined): Cell[] {
  if (!answer) return values.map(() => '');
  const chosen = new Set(answer.split(' '));
  return values.map((value) => (chosen.has(value) ? 1 : 0));
}

/** A negative number is no formula, and stays as it was given. Beyond 15 digits a spreadsheet would lose some. */
const answerCell = (answer: string | undefined): Cell =>
  answer !== undefined && negativeNumber.test(answer) && answer.length <= 16 ? { number: answer } : answer;

export const jsonCell = (map: object) => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');
