import { useCallback, useRef, useState } from 'preact/hooks';

export interface Selection {
  ids: ReadonlySet<string>;
  has: (id: string) => boolean;
  /** With `extend`, all rows from the last changed one on. */
  toggle: (id: string, order: readonly string[], extend: boolean) => void;
  setAll: (ids: readonly string[], selected: boolean) => void;
  clear: () => void;
  onKeyDown: (event: KeyboardEvent, order: readonly string[]) => void;
}

/**
 * Selected rows. By mouse: a click, and with Shift a range. By keyboard, on the checkboxes: Space, arrows to move, Shift
 * and arrows for a range, Ctrl or Command and A for all, Escape for none.
 */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const has = useCallback((id: string) => ids.has(id), [ids]);
  const clear = useCallback(() => setIds(new Set()), []);

  const setAll = useCallback((rows: readonly string[], selected: boolean) => {
    setIds((now) => {
      const changed = new Set(now);
      for (const id of rows) selected ? changed.add(id) : changed.delete(id);
      return changed;
    });
  }, []);

  const toggle = (id: string, order: readonly string[], extend: boolean) => {
    const selected = !ids.has(id);
    const from = extend && last.current !== null ? order.indexOf(last.current) : -1;
    const to = order.indexOf(id);
    setAll(from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1), selected);
    last.current = id;
  };

  const onKeyDown = (event: KeyboardEvent, order: readonly string[]) => {
    const box = event.target as HTMLElement;
    const id = box.dataset.row;
    if (event.key === 'Escape' && ids.size > 0) clear();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && id !== undefined)
      setAll(order, true);
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && id !== undefined) {
      const to = order[order.indexOf(id) + (event.key === 'ArrowDown' ? 1 : -1)];
      if (to === undefined) return;
      if (event.shiftKey) setAll([id, to], true);
      last.current = to;
      const table = box.closest('table');
      table?.querySelector<HTMLElement>(`[data-row="${CSS.escape(to)}"]`)?.focus();
    } else return;
    event.preventDefault();
  };

  return { ids, has, toggle, setAll, clear, onKeyDown };
}
