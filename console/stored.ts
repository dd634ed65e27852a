import { useState } from 'preact/hooks';
import { useUser } from './user.tsx';

/** A value that this browser keeps for the person, by name, and its change. Text of another version counts as none. */
export function useStored<T>(name: string, initial: T): [T, (change: (now: T) => T) => void] {
  const key = `fieldbell.kept.${useUser().identifier}.${name}`;
  const [value, setValue] = useState(() => stored(key, initial));
  const keep = (change: (now: T) => T) => {
    const next = change(stored(key, initial));
    localStorage.setItem(key, JSON.stringify(next));
    setValue(() => next);
  };
  return [value, keep];
}

function stored<T>(key: string, initial: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? initial;
  } catch {
    return initial;
  }
}
