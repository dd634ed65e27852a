import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Listed } from '../../answers.ts';
import type { AnswerOf } from '../../api.ts';
import { Coded } from '../../components/coded.tsx';
import { as } from '../../components/table-roles.ts';
import { datesFrom, daysFrom, formatDate, formatMonth, formatShare } from '../../format.ts';
import { isReturning } from '../../places.ts';
import type { compliance } from '../participants/compliance.ts';
import { strings } from './adherence-strings.ts';
import { markOf, stateOf, sumOf } from './day-states.ts';

export type MapRow = AnswerOf<typeof compliance.daily.participants.$get>['participants'][number];

/** In pixels, as in the style sheet. */
const [rowHeight, headHeight, dayWidth] = [30, 44, 26];
/** Rows and days are drawn in steps, so that most movements draw nothing, and no step takes long. */
const [rowStep, dayStep] = [2, 7];

/** The part of the map that was shown when a person went on, by address. */
const places = new Map<string, { top: number; left: number; active: Place }>();

interface Props {
  from: string;
  to: string;
  rows: readonly MapRow[];
  list: Listed;
  /** Days that have changed while the map is open, by user. */
  fresh: ReadonlyMap<string, ReadonlySet<number>>;
  /** The address of a participant, or of one of their days. */
  pathOf: (user: string, day?: string) => string;
}

/** A cell: `day` is -1 for the participant's name. */
interface Place {
  row: number;
  day: number;
}

/** The drawn part: rows and days from the first to before the last. */
interface Window {
  rows: [number, number];
  days: [number, number];
}

/**
 * A grid of participants by days, of which only the visible part is drawn, however many there are. One stop of the Tab key:
 * arrows move, Home and End lead to the edges of a row, with Control to those of the grid, Page Up and Down by ten rows.
 */
export function AdherenceMap({ from, to, rows, list, fresh, pathOf }: Props) {
  const days = daysFrom(from, to);
  const dates = useMemo(() => datesFrom(from, to).map(mapDateOf), [from, to]);
  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const [drawn, setDrawn] = useState<Window>({
    rows: [0, 0],
    days: [Math.max(0, days - 42), days],
  });
  const [active, setActive] = useState<Place>({ row: 0, day: days - 1 });
  /** The cell that takes the focus once it is drawn. */
  const wanted = useRef(false);
  const latest = useRef(active);
  latest.current = active;
  const [pointed, setPointed] = useState<Place>();
  const { route, url: address } = useLocation();

  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const size = useRef({ rows: rows.length, days });
  size.current = { rows: rows.length, days };
  const draw = () => {
    timer.current = undefined;
    const whole = windowOf(frame.current, size.current.rows, size.current.days);
    setDrawn((now) => {
      const next = { ...whole, rows: step(now.rows, whole.rows, latest.current.row) };
      if (!isSame(next.rows, whole.rows)) look();
      return isSame(now.rows, next.rows) && isSame(now.days, next.days) ? now : next;
    });
  };
  /** Draws later, step by step: the browser shows what it has in between. */
  const look = () => {
    timer.current ??= setTimeout(draw);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // The latest days first; on the way back the part that was left. Once the browser has laid out the screen.
  useEffect(() => {
    const left = isReturning() ? places.get(address) : undefined;
    frame.current?.scrollTo(left?.left ?? frame.current.scrollWidth, left?.top ?? 0);
    if (left) setActive(left.active);
    look();
  }, []);
  useLayoutEffect(
    () => () => {
      const { scrollTop: top = 0, scrollLeft: left = 0 } = frame.current ?? {};
      places.set(address, { top, left, active: latest.current });
    },
    [],
  );
  useEffect(look, [rows.length]);
  useEffect(() => {
    const resize = new ResizeObserver(look);
    if (frame.current) resize.observe(frame.current);
    return () => resize.disconnect();
  }, [rows.length, days]);
  const isNearEnd = drawn.rows[1] >= rows.length && rows.length > 0;
  useEffect(() => {
    if (isNearEnd && list.hasMore && !list.loading && list.error === undefined) list.more();
  }, [isNearEnd, rows.length, list.hasMore, list.loading]);

  const isDrawn =
    active.row >= drawn.rows[0] &&
    active.row < drawn.rows[1] &&
    (active.day < 0 || (active.day >= drawn.days[0] && active.day < drawn.days[1]));
  useLayoutEffect(() => {
    if (!wanted.current || !isDrawn) return;
    wanted.current = false;
    frame.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });
  // A focused cell that scrolls away leaves the focus to the grid, from which an arrow leads back.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (hadFocus.current && !isDrawn && document.activeElement === document.body)
      grid.current?.focus({ preventScroll: true });
  });

  function goTo(place: Place) {
    const row = Math.max(0, Math.min(rows.length - 1, place.row));
    const day = Math.max(-1, Math.min(days - 1, place.day));
    wanted.current = true;
    setActive({ row, day });
    latest.current = { row, day };
    if (frame.current) reveal(frame.current, { row, day });
    look();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.metaKey || (event.ctrlKey && !/^(?:Home|End)$/.test(event.key))) return;
    if (event.target === grid.current && /^Arrow/.test(event.key)) {
      event.preventDefault();
      return goTo(active);
    }
    const { row, day } = active;
    const places: Record<string, Place> = {
      ArrowUp: { row: row - 1, day },
      ArrowDown: { row: row + 1, day },
      ArrowLeft: { row, day: day - 1 },
      ArrowRight: { row, day: day + 1 },
      PageUp: { row: row - 10, day },
      PageDown: { row: row + 10, day },
      Home: { row: event.ctrlKey ? 0 : row, day: -1 },
      End: { row: event.ctrlKey ? rows.length - 1 : row, day: days - 1 },
    };
    const next = places[event.key];
    if (!next) return;
    event.preventDefault();
    goTo(next);
  }

  const placeAt = (target: EventTarget | null): Place | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null;
    const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
    return cell && row !== undefined ? { row: Number(row), day: Number(cell.dataset.day) } : undefined;
  };

  const shown = rows.slice(drawn.rows[0], drawn.rows[1]);
  return (
    <>
      <Where place={pointed ?? active} rows={rows} dates={dates} />
      <div ref={frame} class="map-frame" onScroll={look}>
        <table
          ref={grid}
          tabIndex={isDrawn ? -1 : 0}
          onKeyDown={onKeyDown}
          onPointerOver={(event) => setPointed(placeAt(event.target))}
          onPointerLeave={() => setPointed(undefined)}
          onFocusIn={(event) => {
            hadFocus.current = true;
            const place = placeAt(event.target);
            if (place) setActive(place);
          }}
          onFocusOut={(event) => {
            hadFocus.current = event.relatedTarget === null;
          }}
          onClick={(event) => {
            const cell = event.target instanceof HTMLTableCellElement ? placeAt(event.target) : undefined;
            const row = cell && rows[cell.row];
            if (!row) return;
            if (cell.day < 0) route(pathOf(row.user));
            else if (stateOf(row, cell.day)) route(pathOf(row.user, dates[cell.day]?.date));
          }}
          class="map"
          {...as.grid}
          aria-label={strings.caption}
          aria-description={strings.gridHelp}
          aria-rowcount={list.hasMore ? -1 : rows.length + 1}
          aria-colcount={days + 1}
          aria-busy={list.loading}
          style={{
            ...span(0, days),
            height: `${headHeight + rows.length * rowHeight}px`,
          }}
        >
          <Head dates={dates} first={drawn.days[0]} last={drawn.days[1]} />
          <tbody {...as.rows}>
            {shown.map((row, n) => {
              const at = drawn.rows[0] + n;
              return (
                <Row
                  key={row.user}
                  row={row}
                  at={at}
                  first={drawn.days[0]}
                  last={drawn.days[1]}
                  active={active.row === at ? active.day : undefined}
                  pointed={pointed?.row === at ? pointed.day : undefined}
                  dates={dates}
                  fresh={fresh.get(row.user)}
                  pathOf={pathOf}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

type HeadProps = Pick<RowProps, 'dates' | 'first' | 'last'>;

/** The dates of the drawn days. */
function Head(props: HeadProps) {
  const { dates, first, last } = props;
  return useMemo(() => drawHead(props), [dates, first, last]);
}

const drawHead = ({ dates, first, last }: HeadProps) => (
  <thead {...as.rows}>
    <tr {...as.row} class="map-row" aria-rowindex={1} style={span(first, last)}>
      <th {...as.column} class="map-name" aria-colindex={1}>
        {strings.participant}
      </th>
      {dates.slice(first, last).map(({ date, number, isWeekend }, n) => (
        <th
          key={date}
          {...as.column}
          class={isWeekend ? 'map-day weekend' : 'map-day'}
          aria-colindex={first + n + 2}
          aria-label={formatDate(date)}
        >
          {(number === 1 || n === 0) && <b>{formatMonth(date)}</b>}
          {number}
        </th>
      ))}
    </tr>
  </thead>
);

interface RowProps {
  row: MapRow;
  at: number;
  first: number;
  last: number;
  /** The day of the row that the Tab key leads to. */
  active: number | undefined;
  /** The day under the pointer. */
  pointed: number | undefined;
  dates: readonly MapDate[];
  fresh: ReadonlySet<number> | undefined;
  pathOf: Props['pathOf'];
}

/** Drawn again only if something in it differs. */
function Row(props: RowProps) {
  const { row, at, first, last, active, pointed, fresh } = props;
  return useMemo(() => drawRow(props), [row, at, first, last, active, pointed, fresh]);
}

function drawRow({ row, at, first, last, active, pointed, dates, fresh, pathOf }: RowProps) {
  const [due, answered] = [sumOf(row.due), sumOf(row.answered)];
  const begins = Array.from({ length: Math.ceil((last - first) / dayStep) }, (_, n) => first + n * dayStep);
  return (
    <tr
      {...as.row}
      class="map-row"
      data-row={at}
      aria-rowindex={at + 2}
      style={{ top: `${headHeight + at * rowHeight}px`, ...span(first, last) }}
    >
      <th {...as.name} class="map-name" data-day={-1} aria-colindex={1}>
        <a href={pathOf(row.user)} tabIndex={active === -1 ? 0 : -1} dir="auto">
          <Coded name={row.name} code={row.code} />
        </a>{' '}
        <span class="map-rate" title={strings.rate(answered, due)}>
          {due > 0 && formatShare(answered, due)}
        </span>
      </th>
      {begins.map((begin) => (
        <Week
          key={begin}
          row={row}
          begin={begin}
          active={ofWeek(active, begin)}
          pointed={ofWeek(pointed, begin)}
          dates={dates}
          fresh={fresh}
          pathOf={pathOf}
        />
      ))}
    </tr>
  );
}

const ofWeek = (day: number | undefined, begin: number) =>
  day !== undefined && day >= begin && day < begin + dayStep ? day : undefined;

type WeekProps = Omit<RowProps, 'at' | 'first' | 'last'> & { begin: number };

/** The days that are drawn in one step: those of a row that stay in view are not drawn again. */
function Week(props: WeekProps) {
  const { row, begin, active, pointed, fresh } = props;
  return useMemo(() => drawWeek(props), [row, begin, active, pointed, fresh]);
}

/**
 * One element for each cell: a thousand are in view, and the browser looks at all of them when a dialog opens. The cell with
 * the focus and the one under the pointer have a link, which can be opened elsewhere; a click leads there from any cell.
 */
function drawWeek({ row, begin, active, pointed, dates, fresh, pathOf }: WeekProps) {
  return (
    <>
      {dates.slice(begin, begin + dayStep).map(({ date, isWeekend }, n) => {
        const day = begin + n;
        const outcome = stateOf(row, day);
        const tabIndex = active === day ? 0 : -1;
        const label = textOf(row, day) + (fresh?.has(day) ? strings.justChanged : '');
        const mark = outcome && markOf(outcome, row.answered[day]);
        const isLink = outcome && (day === active || day === pointed);
        return (
          <td
            key={day}
            {...as.gridCell}
            class={`map-cell ${outcome ? `day-${outcome}` : isWeekend ? 'weekend' : ''}`}
            data-day={day}
            data-fresh={fresh?.has(day) || undefined}
            aria-colindex={day + 2}
            {...(!isLink && { tabIndex, 'aria-label': label })}
          >
            {isLink ? (
              <a href={pathOf(row.user, date)} tabIndex={tabIndex} aria-label={label}>
                {mark}
              </a>
            ) : (
              mark
            )}
          </td>
        );
      })}
    </>
  );
}

/** The cell under the pointer or with the focus, in words. */
function Where({
  place: { row, day },
  rows,
  dates,
}: {
  place: Place;
  rows: readonly MapRow[];
  dates: readonly MapDate[];
}) {
  const of = rows[row];
  const date = dates[day]?.date;
  return (
    <p class="map-where muted" aria-hidden="true">
      {of && date
        ? strings.where(of.name, date, textOf(of, day))
        : of && `${of.name}: ${strings.rate(sumOf(of.answered), sumOf(of.due))}`}
    </p>
  );
}

/** The outcome of a day in words. */
export function textOf(row: MapRow, day: number): string {
  const state = stateOf(row, day);
  const [due = 0, answered = 0, late = 0] = [row.due[day], row.answered[day], row.answeredLate[day]];
  if (!state) return strings.nothingDue;
  const what =
    state === 'partly'
      ? strings.partly(answered, due)
      : strings.cell[state] + (due > 1 ? strings.ofMany(due) : '');
  return what + (late > 0 ? strings.late(late) : '');
}

interface MapDate {
  date: string;
  number: number;
  isWeekend: boolean;
}

const mapDateOf = (date: string): MapDate => ({
  date,
  number: Number(date.slice(8)),
  isWeekend: [0, 6].includes(new Date(date).getUTCDay()),
});

const namesWidth = (frame: HTMLElement) => frame.querySelector<HTMLElement>('.map-name')?.offsetWidth ?? 0;

/** Position and width of the days from the first to before the last, with the names before them. */
const span = (first: number, last: number) => ({
  left: `${first * dayWidth}px`,
  width: `calc(var(--names) + ${(last - first) * dayWidth}px)`,
});

/** The rows and days that the frame shows, with some around them. */
function windowOf(frame: HTMLElement | null, rows: number, days: number): Window {
  const { scrollTop = 0, scrollLeft = 0, clientHeight = 600, clientWidth = 800 } = frame ?? {};
  const firstRow = Math.floor((scrollTop / rowHeight - 1) / rowStep) * rowStep;
  const lastRow = Math.ceil(((scrollTop + clientHeight - headHeight) / rowHeight + 1) / rowStep) * rowStep;
  const firstDay = Math.floor(scrollLeft / dayWidth / dayStep) * dayStep;
  const lastDay = Math.ceil((scrollLeft + clientWidth) / dayWidth / dayStep) * dayStep;
  return {
    rows: [Math.max(0, firstRow), Math.min(rows, lastRow)],
    days: [Math.max(0, firstDay), Math.min(days, lastDay)],
  };
}

const isSame = (a: readonly number[], b: readonly number[]) => a[0] === b[0] && a[1] === b[1];

/** The rows that are drawn next on the way from `now` to `whole`, one step more; after a leap those around `row`. */
function step(now: Window['rows'], whole: Window['rows'], row: number): Window['rows'] {
  const [first, last] = whole;
  if (now[1] <= first || now[0] >= last) {
    const begin = Math.max(first, Math.min(row, last) - 1);
    return [begin, Math.min(last, begin + rowStep)];
  }
  const [from, to] = [Math.max(first, now[0]), Math.min(last, now[1])];
  return to < last ? [from, Math.min(last, to + rowStep)] : [Math.max(first, from - rowStep), to];
}

/** Scrolls as little as shows the cell. */
function reveal(frame: HTMLElement, { row, day }: Place) {
  const top = row * rowHeight;
  const height = frame.clientHeight - headHeight;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + rowHeight > frame.scrollTop + height) frame.scrollTop = top + rowHeight - height;
  if (day < 0) return;
  const left = day * dayWidth;
  const width = frame.clientWidth - namesWidth(frame);
  if (left < frame.scrollLeft) frame.scrollLeft = left;
  else if (left + dayWidth > frame.scrollLeft + width) frame.scrollLeft = left + dayWidth - width;
}
