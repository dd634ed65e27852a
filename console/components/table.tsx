import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Listed } from '../answers.ts';
import { strings } from '../common-strings.ts';
import { formatNumber } from '../format.ts';
import { useKept } from '../kept.ts';
import { Button } from './button.tsx';
import { useDrawn } from './drawn.ts';
import { type Fresh, useLiveRows } from './live-rows.ts';
import { useLongLayout } from './long-layout.ts';
import { ProblemNote } from './problem-note.tsx';
import type { Selection } from './selection.ts';
import { Loading } from './states.tsx';
import { as } from './table-roles.ts';
import { TableTools } from './table-tools.tsx';

export interface Column<Row> {
  label: string;
  /** A cell; the cell of the first column names the row. */
  cell: (row: Row) => ComponentChildren;
  /** Shown on a phone beside the cell's label; omitted there if `wide`. */
  kind?: 'text' | 'number' | 'wide';
}

interface Props<Row> {
  /** The table's own name, under which the browser keeps the columns that a person hides. */
  name?: string;
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
export function Table<Row>({
  name,
  caption,
  columns: all,
  rows: given,
  rowId,
  rowName,
  list,
  selection,
  below,
  empty,
}: Props<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const [hidden, hide] = useKept<readonly string[]>(`columns.${name ?? ''}`, []);
  const {
    shown: rows,
    fresh,
    waiting,
    release,
  } = useLiveRows({
    rows: given,
    rowId,
    pages: list.pages,
    table,
  });
  const drawn = useDrawn(rows?.length, stepRows);
  // The first column names the rows.
  const columns = useMemo(
    () => (name ? all.filter(({ label }, n) => n === 0 || !hidden.includes(label)) : all),
    [name, all, hidden],
  );
  const ids = useMemo(() => rows?.map(rowId) ?? [], [rows]);
  useLongLayout(
    table,
    Math.min(drawn, rows?.length ?? 0) > longRows,
    columns.map(({ label }) => label),
  );
  if (!rows) return list.error ? <ProblemNote error={list.error} onRetry={list.reload} /> : <Loading />;
  if (rows.length === 0 && !list.hasMore && !list.loading) return <>{empty}</>;
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
            {columns.map(({ label, kind = 'text' }) => (
              <th {...as.column} key={label} class={kind} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {blocksOf(rows.slice(0, drawn)).map((block, n) => (
          <Block
            key={n}
            rows={block}
            rowId={rowId}
            name={rowName}
            columns={columns}
            selection={selection}
            order={ids}
            fresh={fresh}
            below={below}
          />
        ))}
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
      {name && rows.length > 0 && (
        <TableTools
          table={table}
          caption={caption}
          busy={drawn < rows.length}
          labels={all.slice(1).map(({ label }) => label)}
          hidden={hidden.filter((label) => all.some((column) => column.label === label))}
          onHide={hide}
        />
      )}
    </div>
  );
}

/** Rows that are drawn at once. */
const stepRows = 5;
/** Rows of a `tbody`, which are drawn again together. */
const blockRows = 25;
/** A list of more has columns of fixed shares. Few, since the change styles them all again. */
const longRows = 10;

interface BlockProps<Row> extends Pick<RowsProps<Row>, 'name' | 'columns' | 'selection' | 'order'> {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  fresh: ReadonlyMap<string, Fresh> | undefined;
  below: ((row: Row) => ComponentChildren) | undefined;
}

const blocksOf = <Row,>(rows: readonly Row[]): (readonly Row[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(rows.length / blockRows)) }, (_, n) =>
    rows.slice(n * blockRows, (n + 1) * blockRows),
  );

/** Some rows of a list; drawn again only if something in them differs. */
function Block<Row>(props: BlockProps<Row>) {
  const { columns, selection, order, fresh, below } = props;
  const known = useRef(props.rows);
  const { current } = known;
  if (current.length !== props.rows.length || current.some((row, n) => row !== props.rows[n]))
    known.current = props.rows;
  const rows = known.current;
  return useMemo(
    () => drawBlock({ ...props, rows }),
    [rows, columns, selection, selection && order, fresh, below],
  );
}

const drawBlock = <Row,>({ rows, rowId, fresh, below, ...more }: BlockProps<Row>) => (
  <tbody {...as.rows} style={{ '--rows': rows.length }}>
    {rows.map((row) => {
      const id = rowId(row);
      return <Rows key={id} row={row} id={id} fresh={fresh?.get(id)} more={below?.(row)} {...more} />;
    })}
  </tbody>
);

interface RowsProps<Row> {
  row: Row;
  id: string;
  name: ((row: Row) => string) | undefined;
  columns: readonly Column<Row>[];
  selection: Selection | undefined;
  order: readonly string[];
  fresh: Fresh | undefined;
  more: ComponentChildren;
}

/** A row and the details below it; drawn again only if the table's owner draws it, or the row has changed. */
function Rows<Row>(props: RowsProps<Row>) {
  const { row, columns, selection, fresh, more } = props;
  return useMemo(() => drawRow(props), [row, columns, selection, fresh, more]);
}

const drawRow = <Row,>({ row, id, name, columns, selection, order, fresh, more }: RowsProps<Row>) => (
  <>
    <tr {...as.row} data-selected={selection?.has(id) || undefined} data-fresh={fresh}>
      {selection && (
        <td {...as.cell} class="check">
          <input
            type="checkbox"
            aria-label={name?.(row) ?? id}
            checked={selection.has(id)}
            data-row={id}
            onClick={(event) => selection.toggle(id, order, event.shiftKey)}
          />
        </td>
      )}
      {columns.map((column, place) => cellOf(column, row, place, fresh))}
    </tr>
    {more && (
      <tr {...as.row} class="below">
        <td {...as.cell} colSpan={columns.length}>
          {more}
        </td>
      </tr>
    )}
  </>
);

function cellOf<Row>(
  { label, cell, kind = 'text' }: Column<Row>,
  row: Row,
  place: number,
  fresh: Fresh | undefined,
): JSX.Element {
  const content = cell(row);
  return place === 0 ? (
    <th {...as.name} key={label} scope="row" dir="auto">
      {content}
      {fresh && <span class="fresh"> {strings.fresh[fresh]}</span>}
    </th>
  ) : (
    <td {...as.cell} key={label} class={kind} data-label={label}>
      {typeof content === 'string' ? <bdi>{content}</bdi> : content}
    </td>
  );
}
