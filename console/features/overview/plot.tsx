import { useState } from 'preact/hooks';
import { formatDate, formatNumber, formatShortDate } from '../../format.ts';
import { strings } from './overview-strings.ts';
import { type Day, type Series, series } from './series.ts';

export const sumOf = (days: readonly Day[], name: Series | 'failed'): number =>
  days.reduce((sum, day) => sum + day[name], 0);

/** The lines of each day; the legend shows the numbers of the day under the pointer. */
export function Plot({ days }: { days: readonly Day[] }) {
  const [place, setPlace] = useState<number>();
  const pointed = place === undefined ? undefined : days[place];
  const most = Math.max(1, ...days.flatMap((day) => series.map((name) => day[name])));
  const last = Math.max(1, days.length - 1);
  const [due, sent, opened, answered] = series.map((name) => sumOf(days, name)) as [
    number,
    number,
    number,
    number,
  ];
  const point = ({ currentTarget, clientX }: PointerEvent & { currentTarget: SVGElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPlace(Math.round(((clientX - left) / width) * last));
  };
  return (
    <>
      <ul class="legend">
        <li class="legend-day">{pointed ? formatDate(pointed.date) : strings.allDays}</li>
        {series.map((name) => (
          <li key={name} class={`series-${name}`}>
            <span class="swatch" />
            {strings.series[name]} <strong>{formatNumber(pointed?.[name] ?? sumOf(days, name))}</strong>
          </li>
        ))}
      </ul>
      <div class="plot">
        <span class="plot-most">{formatNumber(most)}</span>
        <svg
          role="img"
          aria-label={strings.plotLabel(due, sent, opened, answered)}
          viewBox={`0 0 ${last} ${most}`}
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerLeave={() => setPlace(undefined)}
        >
          {pointed && <path class="pointed" d={`M${place} 0V${most}`} />}
          {series.map((name) => (
            <path key={name} class={`series-${name}`} d={lineOf(days.map((day) => most - day[name]))} />
          ))}
        </svg>
        <span class="plot-none">{formatNumber(0)}</span>
        <span class="plot-start">{days[0] && formatShortDate(days[0].date)}</span>
        <span class="plot-end">{days.at(-1) && formatShortDate(days.at(-1)?.date ?? '')}</span>
      </div>
    </>
  );
}

/** Of a single day, a line across. */
const lineOf = (heights: readonly number[]) =>
  heights.map((height, n) => `${n === 0 ? 'M' : 'L'}${n} ${height}`).join('') +
  (heights.length === 1 ? 'H1' : '');
