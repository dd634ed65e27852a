const maxEntries = 10_000;

/** Puts an entry into a cache of bounded size: a full one drops its oldest entries. */
export function remember<V>(cache: Map<string, V>, key: string, value: V): void {
  cache.delete(key);
  for (const oldest of cache.keys()) {
    if (cache.size < maxEntries) break;
    cache.delete(oldest);
  }
  cache.set(key, value);
}
