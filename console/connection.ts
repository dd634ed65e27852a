import { useEffect, useState } from 'preact/hooks';

/* Whether the last request reached the service. */

let online = true;
const watchers = new Set<(online: boolean) => void>();

export function setOnline(now: boolean): void {
  if (now === online) return;
  online = now;
  for (const watcher of watchers) watcher(now);
}

export function useOnline(): boolean {
  const [shown, show] = useState(online);
  useEffect(() => {
    watchers.add(show);
    return () => {
      watchers.delete(show);
    };
  }, []);
  return shown;
}
