import uPlot from 'uplot';
import { formatNumber, formatShortDate } from '../../format.ts';
import { type Day, type Series, series } from './series.ts';

/* In a module of its own: the library is fetched when there is something to draw. */

/** Lines differ by more than their colour. */
const dashes: Record<Series, number[]> = { due: [2, 4], sent: [8, 4], opened: [], answered: [] };
const widths: Record<Series, number> = { due: 1.5, sent: 1.5, opened: 1.5, answered: 2.5 };
const height = 260;

interface Drawing {
  frame: HTMLElement;
  /** Entries of the legend carry the colours, since a canvas cannot read them from style sheets. */
  legend: HTMLElement;
  days: readonly Day[];
  onPoint: (place: number | null) => void;
}

/** Draws the lines until the returned function is called. */
export function draw({ frame, legend, days, onPoint }: Drawing): () => void {
  const colorOf = (of: string) => getComputedStyle(legend.querySelector(of) ?? legend).color;
  const axis: uPlot.Axis = {
    stroke: () => colorOf('.legend-day'),
    grid: { stroke: () => getComputedStyle(frame).borderTopColor, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plot = new uPlot(
    {
      width: frame.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
      axes: [
        {
          ...axis,
          size: 28,
          incrs: [1, 2, 7, 14, 28],
          values: (_, places) => places.map((n) => (days[n] ? formatShortDate(days[n].date) : '')),
        },
        {
          ...axis,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
          values: (_, numbers) => numbers.map(formatNumber),
          size: 56,
        },
      ],
      series: [
        {},
        ...series.map((name) => ({
          stroke: () => colorOf(`.series-${name}`),
          width: widths[name],
          dash: dashes[name],
          points: { show: days.length < 3 },
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [days.map((_, n) => n), ...series.map((name) => days.map((day) => day[name]))],
    (plot, begin) => {
      // A task of its own.
      timer = setTimeout(() => {
        frame.append(plot.root);
        begin();
        resize.observe(frame);
      });
    },
  );
  const resize = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const recolor = () => plot.redraw();
  dark.addEventListener('change', recolor);
  return () => {
    clearTimeout(timer);
    resize.disconnect();
    dark.removeEventListener('change', recolor);
    plot.destroy();
  };
}
