import { useEffect, useState } from 'preact/hooks';
import { MemoryError, watchMemory } from './database.ts';

/* Faults that no screen expects, so that the page is never mute. */

export type Trouble = 'memory' | 'other';

let trouble: Trouble | undefined;
const watchers = new Set<() => void>();

function set(next: Trouble | undefined) {
  trouble = next;
  for (const watcher of watchers) watcher();
}

/** Shows the text of `index.html` that names the browsers. The style sheet has its rule. */
export const showFallback = (): void => document.documentElement.classList.add('stuck');

/** Before anything else of the page runs. */
export function watchTrouble(): void {
  watchMemory((isWell) => {
    if (!isWell) set('memory');
    else if (trouble === 'memory') set(undefined);
  });
  addEventListener('error', ({ filename }) => {
    // Extensions of browsers have faults of their own.
    if (filename.startsWith(location.origin)) note();
  });
  addEventListener('unhandledrejection', ({ reason }) => {
    if (!(reason instanceof MemoryError)) note();
  });
}

function note() {
  showFallback();
  trouble ??= 'other';
  set(trouble);
}

/** Until another screen is opened, or all is well again. */
export function useTrouble(screen: string): Trouble | undefined {
  const [shown, show] = useState(trouble);
  useEffect(() => {
    const look = () => show(trouble);
    watchers.add(look);
    look();
    return () => void watchers.delete(look);
  }, []);
  useEffect(() => () => set(undefined), [screen]);
  return shown;
}
