import type { RefObject } from 'preact';
import { useReducer, useRef } from 'preact/hooks';
import { lastOwnChange } from '../api.ts';

/** How a row differs from the time when its list was first shown. */
export type Fresh = 'new' | 'changed';

/** A change of the person's own that is read back is no news, and shows at once. */
const ownMs = 15_000;

interface Props<Row> {
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** The number of pages that are read: with more of them older rows appear. */
  pages: number | undefined;
  table: RefObject<HTMLTableElement | null>;
}

interface Seen<Row> {
  listed: readonly Row[];
  shown: readonly Row[];
  texts: Map<string, string>;
  pages: number | undefined;
  fresh: Map<string, Fresh>;
}

/**
 * The rows of a list that is read again when something changes: new and changed rows are marked. While the pointer or the
 * focus is among the rows, no row moves: what would move them waits, in number `waiting`, until `release`.
 */
export function useLiveRows<Row>({ rows, rowId, pages, table }: Props<Row>) {
  const seen = useRef<Seen<Row> | undefined>(undefined);
  const [, again] = useReducer((n: number) => n + 1, 0);
  if (!rows) seen.current = undefined;
  else if (pages === undefined || !seen.current || seen.current.pages !== pages)
    seen.current = { ...first(rows, rowId, pages), fresh: seen.current?.fresh ?? new Map() };
  else if (
    seen.current.listed.length !== rows.length ||
    seen.current.listed.some((row, n) => row !== rows[n])
  )
    seen.current = next(seen.current, rows, rowId, isBusy(table.current));
  const now = seen.current;
  return {
    shown: now?.shown,
    fresh: now?.fresh,
    waiting: now ? waitingOf(now, rowId) : 0,
    release: () => {
      if (!seen.current || seen.current.shown === seen.current.listed) return;
      seen.current = { ...seen.current, shown: seen.current.listed };
      again(undefined);
    },
  };
}

function waitingOf<Row>({ listed, shown }: Seen<Row>, rowId: (row: Row) => string): number {
  if (shown === listed) return 0;
  const known = new Set(shown.map(rowId));
  return listed.filter((row) => !known.has(rowId(row))).length;
}

const isBusy = (table: HTMLTableElement | null) => {
  const bodies = [...(table?.tBodies ?? [])];
  return bodies.some((body) => body.matches(':hover') || body.contains(document.activeElement));
};

function textsOf<Row>(rows: readonly Row[], rowId: (row: Row) => string) {
  return new Map(rows.map((row) => [rowId(row), JSON.stringify(row)]));
}

function first<Row>(rows: readonly Row[], rowId: (row: Row) => string, pages: number | undefined) {
  const texts = pages === undefined ? new Map<string, string>() : textsOf(rows, rowId);
  return { listed: rows, shown: rows, texts, pages };
}

function next<Row>(
  { shown: before, texts: known, pages, fresh: marked }: Seen<Row>,
  rows: readonly Row[],
  rowId: (row: Row) => string,
  busy: boolean,
): Seen<Row> {
  const texts = textsOf(rows, rowId);
  const fresh = new Map(marked);
  const isNews = Date.now() - lastOwnChange() > ownMs;
  if (isNews)
    for (const [id, text] of texts) {
      if (!known.has(id)) fresh.set(id, 'new');
      else if (known.get(id) !== text && !fresh.has(id)) fresh.set(id, 'changed');
    }
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  const moves = before.some((row, n) => rows[n] === undefined || rowId(rows[n]) !== rowId(row));
  const shown = isNews && busy && moves ? before.map((row) => byId.get(rowId(row)) ?? row) : rows;
  return { listed: rows, shown, texts, pages, fresh };
}
