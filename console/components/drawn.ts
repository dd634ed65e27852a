import { useEffect, useState } from 'preact/hooks';

/** How many of a long list are drawn: `step` at first, and more in steps, so that the page answers meanwhile. */
export function useDrawn(all: number | undefined, step: number): number {
  const [drawn, setDrawn] = useState(step);
  useEffect(() => {
    if (all === undefined) setDrawn(step);
    else if (drawn < all) {
      const timer = setTimeout(() => setDrawn(drawn + step));
      return () => clearTimeout(timer);
    }
    return;
  }, [drawn, all]);
  return drawn;
}
