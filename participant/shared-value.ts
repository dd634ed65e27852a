import { useEffect, useState } from 'preact/hooks';

/** A value outside the components of the page, which draws those that use it again. */
export function newSharedValue<T>(first: T) {
  let value = first;
  const watchers = new Set<(value: T) => void>();
  return {
    read: () => value,
    set(next: T) {
      value = next;
      for (const watcher of watchers) watcher(next);
    },
    use(): T {
      const [shown, show] = useState(value);
      useEffect(() => {
        watchers.add(show);
        show(value);
        return () => void watchers.delete(show);
      }, []);
      return shown;
    },
  };
}
