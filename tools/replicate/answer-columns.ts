import { jsonNumber } from '../../src/decimals.ts';
import type { ColumnType } from './parquet.ts';

/** A row of the codebook. */
interface Definition {
  item: string | null;
  kind: string | null;
  to: string | null;
}

/**
 * The columns of answers: a column for each item, those of now first, and `other` with the answers that none has. A
 * column has the type of its item, or is text if the kind of the item changed, or differs between surveys.
 */
export function answerColumns(codebook: readonly Definition[]) {
  const kinds = new Map<string, string>();
  for (const { item, kind } of codebook.toSorted((a, b) => Number(a.to !== null) - Number(b.to !== null))) {
    // A span whose items are unknown.
    if (item === null) continue;
    const own = kind ?? 'text';
    kinds.set(item, (kinds.get(item) ?? own) === own ? own : 'text');
  }
  const columns = Object.fromEntries(
    [...kinds].map(([item, kind]) => [`items.${item}`, kindTypes[kind] ?? 'text']),
  );
  return {
    columns,
    cells(answers: Record<string, string>): Record<string, unknown> {
      const cells: Record<string, unknown> = {};
      const other: Record<string, string> = {};
      for (const [item, answer] of Object.entries(answers)) {
        const kind = kinds.get(item);
        const cell = kind === undefined ? undefined : cellOf(kind, answer);
        if (cell === undefined) other[item] = answer;
        else cells[`items.${item}`] = cell;
      }
      return { ...cells, other: Object.keys(other).length > 0 ? other : null };
    },
  };
}

const kindTypes: Record<string, ColumnType> = {
  number: 'number',
  scale: 'whole',
  'yes-no': 'boolean',
  date: 'date',
};

/** Null for no answer: an empty text answers an item of text alone. Undefined for an answer that is not of the kind. */
function cellOf(kind: string, answer: string): unknown {
  if (answer === '' && kind !== 'text') return null;
  switch (kind) {
    case 'number':
      return jsonNumber.test(answer) ? Number(answer) : undefined;
    case 'scale':
      return /^-?[0-9]{1,9}$/.test(answer) ? Number(answer) : undefined;
    case 'yes-no':
      return answer === 'yes' || (answer === 'no' ? false : undefined);
    case 'date': {
      const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(answer) ? new Date(answer) : undefined;
      return date && !Number.isNaN(date.getTime()) ? date : undefined;
    }
    default:
      return answer;
  }
}
