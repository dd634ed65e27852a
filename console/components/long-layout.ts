import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** In pixels: a column becomes no narrower, except one that was. */
const minWidth = 80;

/**
 * The browser lays out and paints the whole of a table for every row that comes to it. A long table therefore keeps the
 * shares that its columns have by then, and the browser passes over the blocks that are out of view.
 */
export function useLongLayout(
  table: RefObject<HTMLTableElement | null>,
  isLong: boolean,
  columns: readonly string[],
): void {
  useLayoutEffect(() => {
    const { current: whole } = table;
    if (!whole) return;
    const keep = () => keepShares(whole);
    if (isLong) keep();
    else whole.classList.remove('long');
    if (isLong) addEventListener('resize', keep);
    return () => removeEventListener('resize', keep);
  }, [isLong, columns.join('\n')]);
}

function keepShares(table: HTMLTableElement): void {
  table.classList.remove('long');
  const widths = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ offsetWidth }) => offsetWidth);
  const tracks = widths.map((width) => `minmax(${Math.min(width, minWidth)}px, ${width}fr)`);
  const isWider = table.offsetWidth > (table.parentElement?.clientWidth ?? 0);
  table.style.setProperty('--columns', tracks.join(' '));
  table.style.setProperty('--least', isWider ? `${table.offsetWidth}px` : '0');
  const [block] = table.tBodies;
  if (block)
    table.style.setProperty('--row', `${block.getBoundingClientRect().height / block.rows.length}px`);
  table.classList.add('long');
}
