import { useEffect, useRef, useState } from 'preact/hooks';
import { ProblemNote } from '../../components/problem-note.tsx';
import { formatDate, formatNumber } from '../../format.ts';
import { loadPart } from '../../load-part.ts';
import { ownTask } from '../../own-task.ts';
import { strings } from './overview-strings.ts';
import { type Day, type Series, series } from './series.ts';

export const sumOf = (days: readonly Day[], name: Series | 'failed'): number =>
  days.reduce((sum, day) => sum + day[name], 0);

/** Fetches the drawing library while the days load. */
export const loadDrawing = () => loadPart(() => import('./draw.ts'));

/** The lines of each day; the legend shows the numbers of the day under the pointer. */
export function Plot({ days }: { days: readonly Day[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState<number | null>(null);
  const [error, setError] = useState<unknown>();
  const pointed = place === null ? undefined : days[place];
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    const load = async () => {
      const { draw } = await loadDrawing();
      await ownTask();
      if (isGone || !frame.current || !legend.current) return;
      end = draw({ frame: frame.current, legend: legend.current, days, onPoint: setPlace });
    };
    load().catch(setError);
    return () => {
      isGone = true;
      end?.();
    };
  }, [days]);
  const [due, sent, opened, answered] = series.map((name) => sumOf(days, name)) as [
    number,
    number,
    number,
    number,
  ];
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <ul class="legend" ref={legend}>
        <li class="legend-day">{pointed ? formatDate(pointed.date) : strings.allDays}</li>
        {series.map((name) => (
          <li key={name} class={`series-${name}`}>
            <span class="swatch" />
            {strings.series[name]} <strong>{formatNumber(pointed?.[name] ?? sumOf(days, name))}</strong>
          </li>
        ))}
      </ul>
      <div ref={frame} class="plot" role="img" aria-label={strings.plotLabel(due, sent, opened, answered)} />
    </>
  );
}
