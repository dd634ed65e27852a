import { formatDate } from '../../format.ts';
import type { MapRow } from './adherence-map.tsx';
import { strings } from './adherence-strings.ts';
import { markOf, stateOf } from './day-states.ts';

/** Days beside one another on a page. */
const daysOfBlock = 31;

/** All participants and days, for paper: one table below another, each as wide as a page. */
export const PrintedMap = ({ dates, rows }: { dates: readonly string[]; rows: readonly MapRow[] }) => (
  <div class="printed-map">
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
                    <td key={date} class={outcome && `printed-day ${outcome}`}>
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
  </div>
);
