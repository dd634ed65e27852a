import { useEffect, useState } from 'preact/hooks';

/** The present by the service's clock, in epoch ms; a screen is drawn again each half minute, and with all news. */
export function useServiceNow(ahead: number): number {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Date.now() + ahead;
}
