/* One at a time, over all pages and the service worker, where the browser has locks; else within this page. */

const last = new Map<string, Promise<unknown>>();

export function withLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(name, act);
  const turn = (last.get(name) ?? Promise.resolve()).catch(() => undefined).then(act);
  last.set(name, turn);
  return turn;
}
