const maxEntries = 10_000;

/** Puts an entry into a cache whose memory is bounded: the oldest entries of a full one go. */
export function remember<V>(cache: Map<string, V>, key: string, value: V): void {
  cache.delete(key);
  for (const oldest of cache.keys()) {
    if (cache.size < maxEntries) break;
    cache.delete(oldest);
  }
  cache.set(key, value);
}
