import { useLocation } from 'preact-iso/router';

/** What the address asks for, and how to change some of it: `''` takes a parameter away. */
export function useQuery(): [Record<string, string>, (change: Record<string, string | undefined>) => void] {
  const { query, path, route } = useLocation();
  const change = (some: Record<string, string | undefined>) => {
    const all = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...some })) if (value) all.set(name, value);
    route(all.size === 0 ? path : `${path}?${all}`, true);
  };
  return [query, change];
}
