/* Functions without which nothing of the page works. All others have a way around them. */

const needed: readonly (() => unknown)[] = [
  () => AbortController,
  () => Array.from,
  () => Array.isArray,
  () => Array.prototype.flatMap,
  () => Array.prototype.includes,
  () => Intl.DateTimeFormat,
  () => Object.entries,
  () => Object.fromEntries,
  () => Promise.all,
  () => Request,
  () => String.prototype.replaceAll,
  () => URLSearchParams,
  () => crypto.getRandomValues,
  () => fetch,
  () => history.replaceState,
  () => queueMicrotask,
];

/** Whether this browser can show the page. */
export const isEnough = (): boolean => {
  try {
    for (const read of needed) if (!read()) return false;
    return true;
  } catch {
    return false;
  }
};
