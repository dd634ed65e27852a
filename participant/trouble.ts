import { useEffect } from 'preact/hooks';
import { MemoryError, watchMemory } from './database.ts';
import { newSharedValue } from './shared-value.ts';

/* Faults that no screen expects, so that the page is never mute. */

export type Trouble = 'memory' | 'other';

const trouble = newSharedValue<Trouble | undefined>(undefined);

/** Shows the text of `index.html` that names the browsers. The style sheet has its rule. */
export const showFallback = (): void => document.documentElement.classList.add('stuck');

/** Before anything else of the page runs. */
export function watchTrouble(): void {
  watchMemory((isWell) => {
    if (!isWell) trouble.set('memory');
    else if (trouble.read() === 'memory') trouble.set(undefined);
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
  trouble.set(trouble.read() ?? 'other');
}

/** Until another screen is opened, or all is well again. */
export function useTrouble(screen: string): Trouble | undefined {
  useEffect(() => () => trouble.set(undefined), [screen]);
  return trouble.use();
}
