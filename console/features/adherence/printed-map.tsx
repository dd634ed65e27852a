import { type ComponentChild, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatDate } from '../../format.ts';
import type { MapRow } from './adherence-map.tsx';
import { strings } from './adherence-strings.ts';
import { markOf, stateOf } from './day-states.ts';

/** Days beside one another on a page. */
const daysOfBlock = 31;

interface Props {
  dates: readonly string[];
  rows: readonly MapRow[];
}

/** Those participants who are read, for paper: drawn while the browser prints, by whatever way. */
export function PrintedMap(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const show = (tables: ComponentChild) => {
      if (frame.current) render(tables, frame.current);
    };
    // The browser takes the page as it is at the end of this event, so a change of state would come too late.
    const fill = () => show(<Tables {...latest.current} />);
    const clear = () => show(null);
    addEventListener('beforeprint', fill);
    addEventListener('afterprint', clear);
    return () => {
      removeEventListener('beforeprint', fill);
      removeEventListener('afterprint', clear);
    };
  }, []);
  return <div ref={frame} class="printed-map" />;
}

/** All days, one table below another, each as wide as a page. */
const Tables = ({ dates, rows }: Props) => (
  <>
    {Array.from({ length: Math.ceil(dates.length / daysOfBlock) }, (_, block) => {
      const first = block * daysOfBlock;
      const some = dates.slice(first, first + daysOfBlock);
      return (
        <table key={first}>
          <caption>
            {formatDate(some[0] ?? '')} – {formatDate(some.at(-1) ?? '')}
          </caption>
          <thead>
            <tr>
              <th scope="col">{strings.participant}</th>
              {some.map((date) => (
                <th key={date} scope="col">
                  {Number(date.slice(8))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.user}>
                <th scope="row">
                  {row.name} {row.code}
                </th>
                {some.map((date, n) => {
                  const outcome = stateOf(row, first + n);
                  return (
                    <td key={date} class={outcome && `day-${outcome}`}>
                      {outcome && markOf(outcome, row.answered[first + n])}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      );
    })}
  </>
);
