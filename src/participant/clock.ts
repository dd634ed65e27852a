import { useEffect, useState } from 'preact/hooks';

/** The present by the service's clock, to within half a minute, in epoch ms. */
export function useServiceNow(ahead: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now + ahead;
}
