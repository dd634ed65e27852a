import { useLocation } from 'preact-iso/router';

/** The query of the address, and a function to change it: `''` removes a parameter. */
export function useQuery(): [Record<string, string>, (change: Record<string, string | undefined>) => void] {
  const { query, path, route } = useLocation();
  const change = (changes: Record<string, string | undefined>) => {
    const all = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...changes })) if (value) all.set(name, value);
    route(all.size === 0 ? path : `${path}?${all}`, true);
  };
  return [query, change];
}
