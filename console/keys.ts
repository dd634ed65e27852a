import { useEffect, useRef } from 'preact/hooks';

/*
 * Keys of single letters and signs. They do nothing while somebody types, within a dialog, or with Control, Alt or Command,
 * which belong to browsers and screen readers; and a person may switch them off for good (WCAG 2.1.4).
 */

export interface Shortcut {
  /** As `KeyboardEvent.key` has it. */
  key: string;
  /** For the list of keys. */
  label: string;
  act: () => void;
}

const storageKey = 'fieldbell.keys';
const offered = new Set<readonly Shortcut[]>();

export const areKeysOn = (): boolean => localStorage.getItem(storageKey) !== 'off';

export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

/** The keys of the parts that are open, for the list of keys. */
export const offeredKeys = (): Shortcut[] => [...offered].flat();

/** Offers keys while the part is open. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const entries = shortcuts.map(({ key, label }) => ({
      key,
      label,
      act: () => latest.current.find((other) => other.key === key)?.act(),
    }));
    offered.add(entries);
    const press = (event: KeyboardEvent) => {
      if (!areKeysOn() || event.defaultPrevented || isTaken(event)) return;
      const shortcut = entries.find(({ key }) => key === event.key);
      if (!shortcut) return;
      event.preventDefault();
      shortcut.act();
    };
    addEventListener('keydown', press);
    return () => {
      offered.delete(entries);
      removeEventListener('keydown', press);
    };
  }, [shortcuts.map(({ key }) => key).join()]);
}

export const isDialogOpen = (): boolean =>
  document.querySelector('dialog:is([open], :popover-open)') !== null;

/** Whether the key belongs to a field, a dialog, the browser or a screen reader. */
const isTaken = ({ target, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean =>
  ctrlKey ||
  altKey ||
  metaKey ||
  isComposing ||
  isDialogOpen() ||
  (target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null);
