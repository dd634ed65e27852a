import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Listed } from '../answers.ts';
import { strings } from '../common-strings.ts';
import { fileName, saveTable } from '../download.ts';
import { formatNumber } from '../format.ts';
import { csvOf } from '../table-csv.ts';
import { Button } from './button.tsx';
import { type Fresh, useLiveRows } from './live-rows.ts';
import { ProblemNote } from './problem-note.tsx';
import type { Selection } from './selection.ts';
import { Unread } from './states.tsx';
import { as } from './table-roles.ts';

export interface Column<Row> {
  label: string;
  /** Of a column whose label may be that of another one. */
  key?: string;
  /** A cell; the cell of the first column names the row. */
  cell: (row: Row) => ComponentChildren;
  /** Shown on a phone beside the cell's label; omitted there if `wide`. */
  kind?: 'text' | 'number' | 'wide';
}

export interface TableProps<Row> {
  /** Offers the shown rows as a file. */
  saves?: boolean;
  /** The caption, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Names the row when its checkbox is read out. */
  rowName?: (row: Row) => string;
  list: Listed;
  selection?: Selection;
  /** Details below a row, as wide as the table; nothing while closed. */
  below?: (row: Row) => ComponentChildren;
  /** Replaces the table if there are no rows. */
  empty: ComponentChildren;
}

/** A list of the service, as far as read, with a button for more. */
export function Table<Row>(props: TableProps<Row>) {
  const { saves, caption, columns, rows: listed, rowId, rowName, list, selection, below, empty } = props;
  const table = useRef<HTMLTableElement>(null);
  const {
    shown: rows,
    fresh,
    waiting,
    release,
  } = useLiveRows({ rows: listed, rowId, pages: list.pages, table });
  if (!rows) return <Unread {...list} />;
  if (rows.length === 0 && !list.hasMore && !list.loading) return <>{empty}</>;
  const ids = rows.map(rowId);
  return (
    <div class="table-frame" aria-busy={list.loading} onPointerLeave={release}>
      <p role="status" class="table-news">
        {waiting > 0 && <Button onClick={release}>{strings.showNew(waiting)}</Button>}
      </p>
      <table {...as.table} ref={table} class="table" onKeyDown={(event) => selection?.onKeyDown(event, ids)}>
        <caption class="hidden-label">{caption}</caption>
        <thead {...as.rows}>
          <tr {...as.row}>
            {selection && (
              <th {...as.column} class="check" data-label={strings.selectAll}>
                <input
                  type="checkbox"
                  aria-label={strings.selectAll}
                  checked={ids.length > 0 && ids.every(selection.has)}
                  ref={(box) => {
                    if (box) box.indeterminate = ids.some(selection.has) && !ids.every(selection.has);
                  }}
                  onChange={(event) => selection.setAll(ids, event.currentTarget.checked)}
                />
              </th>
            )}
            {columns.map(({ label, key = label, kind = 'text' }) => (
              <th {...as.column} key={key} class={kind} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as.rows}>
          {rows.map((row) => {
            const id = rowId(row);
            const more = below?.(row);
            return (
              <Fragment key={id}>
                <tr {...as.row} data-selected={selection?.has(id) || undefined} data-fresh={fresh?.get(id)}>
                  {selection && (
                    <td {...as.cell} class="check">
                      <input
                        type="checkbox"
                        aria-label={rowName?.(row) ?? id}
                        checked={selection.has(id)}
                        data-row={id}
                        onClick={(event) => selection.toggle(id, ids, event.shiftKey)}
                      />
                    </td>
                  )}
                  {columns.map((column, place) => cellOf(column, row, place, fresh?.get(id)))}
                </tr>
                {more && (
                  <tr {...as.row} class="below">
                    <td {...as.cell} colSpan={columns.length}>
                      {more}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {list.error !== undefined && <ProblemNote error={list.error} onRetry={list.more} />}
      {list.hasMore && (
        <p class="table-more">
          <Button busy={list.loading} onClick={list.more}>
            {strings.more}
          </Button>
          <span class="muted">{strings.loaded(formatNumber(rows.length))}</span>
        </p>
      )}
      {saves && rows.length > 0 && (
        <div class="table-tools">
          <Button
            kind="quiet"
            icon="download"
            onClick={() => table.current && saveTable(csvOf(table.current), fileName(caption, 'csv'))}
          >
            {strings.csvShown}
          </Button>
        </div>
      )}
    </div>
  );
}

function cellOf<Row>(
  { label, key = label, cell, kind = 'text' }: Column<Row>,
  row: Row,
  place: number,
  fresh: Fresh | undefined,
): JSX.Element {
  const content = cell(row);
  return place === 0 ? (
    <th {...as.name} key={key} scope="row" dir="auto">
      {content}
      {fresh && <span class="fresh"> {strings.fresh[fresh]}</span>}
    </th>
  ) : (
    <td {...as.cell} key={key} class={kind} data-label={label}>
      {typeof content === 'string' ? <bdi>{content}</bdi> : content}
    </td>
  );
}
