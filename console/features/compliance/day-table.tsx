import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AnswerOf } from '../../api.ts';
import { Coded } from '../../components/person.tsx';
import { datesFrom, formatDate, formatMonth, formatShare } from '../../format.ts';
import { groupText } from '../../groups.ts';
import type { compliance } from '../participants/participant-counts.ts';
import { strings } from './compliance-strings.ts';
import { markOf, stateOf, sumOf } from './day-states.ts';

export type DayRow = AnswerOf<typeof compliance.daily.participants.$get>['participants'][number];

/** A date, and its place in the lists of a row. */
interface Day {
  date: string;
  place: number;
  isWeekend: boolean;
}

export const daysOf = ({ from, to }: { from: string; to: string }): Day[] =>
  datesFrom(from, to).map((date, place) => ({
    date,
    place,
    isWeekend: [0, 6].includes(new Date(date).getUTCDay()),
  }));

interface Props {
  days: readonly Day[];
  rows: readonly DayRow[];
  /** Days that have changed while the table is open, by user. */
  fresh: ReadonlyMap<string, ReadonlySet<number>>;
  /** The address of a participant, or of one of their days. */
  pathOf: (user: string, date?: string) => string;
}

/** Participants by days: how the reminders of each day ended. */
export const DayTable = ({ days, rows, fresh, pathOf }: Props) => (
  <table class="day-table">
    <caption class="hidden-label">{strings.caption}</caption>
    <thead>
      <tr>
        <th scope="col">{strings.participant}</th>
        {days.map(({ date, isWeekend }, n) => (
          <th key={date} scope="col" class={isWeekend ? 'weekend' : undefined} title={formatDate(date)}>
            {(n === 0 || date.endsWith('-01')) && <b>{formatMonth(date)}</b>}
            {Number(date.slice(8))}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.user}>
          <th scope="row">
            <a href={pathOf(row.user)} dir="auto">
              <Coded name={row.name} code={row.code} />
            </a>{' '}
            {row.properties && <span class="muted">{groupText(row.properties)} </span>}
            <Rate row={row} />
          </th>
          {days.map((day) => (
            <DayCell
              key={day.date}
              row={row}
              day={day}
              isFresh={fresh.get(row.user)?.has(day.place)}
              href={pathOf(row.user, day.date)}
            />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

function Rate({ row }: { row: DayRow }) {
  const [due, answered] = [sumOf(row.due), sumOf(row.answered)];
  return (
    <span class="day-rate" title={strings.rate(answered, due)}>
      {due > 0 && formatShare(answered, due)}
    </span>
  );
}

function DayCell({
  row,
  day: { date, place, isWeekend },
  isFresh = false,
  href,
}: {
  row: DayRow;
  day: Day;
  isFresh?: boolean | undefined;
  href: string;
}) {
  const state = stateOf(row, place);
  const text = textOf(row, place) + (isFresh ? strings.justChanged : '');
  if (!state) return <td class={isWeekend ? 'weekend' : undefined} aria-label={text} />;
  return (
    <td class={`day-${state}`} data-fresh={isFresh || undefined}>
      {/* The Tab key goes from name to name: a person's page has each of their days, too. */}
      <a href={href} tabIndex={-1} aria-label={text} title={strings.where(row.name, date, text)}>
        {markOf(state, row.answered[place])}
      </a>
    </td>
  );
}

/** The outcome of a day in words. */
export function textOf(row: DayRow, day: number): string {
  const state = stateOf(row, day);
  const [due = 0, answered = 0, late = 0] = [row.due[day], row.answered[day], row.answeredLate[day]];
  if (!state) return strings.nothingDue;
  const outcome =
    state === 'partly'
      ? strings.partly(answered, due)
      : strings.cell[state] + (due > 1 ? strings.ofMany(due) : '');
  return outcome + (late > 0 ? strings.late(late) : '');
}

/** Days that fit beside one another on a sheet. */
const daysOfSheet = 31;

/** The same on paper, one table of days below another: drawn while the browser prints, by whatever way. */
export function PrintedDays(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    // The browser takes the page as it is at the end of this event, so a change of state would come too late.
    const fill = () => frame.current && render(<Sheets {...latest.current} />, frame.current);
    const clear = () => frame.current && render(null, frame.current);
    addEventListener('beforeprint', fill);
    addEventListener('afterprint', clear);
    return () => {
      removeEventListener('beforeprint', fill);
      removeEventListener('afterprint', clear);
    };
  }, []);
  return <div ref={frame} class="printed-days" />;
}

const Sheets = ({ days, ...props }: Props) => (
  <>
    {Array.from({ length: Math.ceil(days.length / daysOfSheet) }, (_, n) => (
      <DayTable key={n} days={days.slice(n * daysOfSheet, (n + 1) * daysOfSheet)} {...props} />
    ))}
  </>
);
