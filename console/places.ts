/*
 * A person's place: how far down each page they were, and how far its lists were read. Back and forward lead there again, which
 * the browser cannot do by itself, since a screen is short until the service has answered.
 */

const heights = new Map<string, number>();
const lengths = new Map<string, number>();
/** The scroll position to restore, until the page is long enough for it. */
let pending: number | undefined;
let isReturn = false;

const here = () => location.pathname + location.search;

export function watchPlaces(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    isReturn = true;
    pending = heights.get(here()) ?? 0;
    requestAnimationFrame(goThere);
  });
  addEventListener('scroll', () => {
    if (pending === undefined) heights.set(here(), scrollY);
  });
  // A person who scrolls or types has arrived.
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(
      type,
      () => {
        isReturn = false;
        pending = undefined;
      },
      { capture: true, passive: true },
    );
  new ResizeObserver(goThere).observe(document.body);
}

function goThere() {
  if (pending === undefined || isLoading()) return;
  const y = pending;
  if (document.documentElement.scrollHeight - innerHeight < y) return;
  pending = undefined;
  scrollTo(0, y);
}

const isLoading = () => document.querySelector('.loading') !== null;

/** Whether the person came back to this page, which restores its position. */
export const isReturning = (): boolean => isReturn;

/** Remembers how many pages of a list were read. */
export const keepLength = (list: readonly unknown[], pages: number): void => {
  lengths.set(keyOf(list), pages);
};

/** How many pages of a list are read at first: more than one only on the way back. */
export const lengthOf = (list: readonly unknown[]): number =>
  isReturn ? (lengths.get(keyOf(list)) ?? 1) : 1;

const keyOf = (list: readonly unknown[]) => `${here()} ${JSON.stringify(list)}`;
