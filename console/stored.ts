import { useState } from 'preact/hooks';
import { useUser } from './user.tsx';

/** A value that this browser keeps for the person, by name. Text of another version counts as none. */
export function useStored<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = `fieldbell.kept.${useUser().identifier}.${name}`;
  const [value, setValue] = useState(() => stored(key, initial));
  const keep = (next: T) => {
    localStorage.setItem(key, JSON.stringify(next));
    setValue(next);
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
