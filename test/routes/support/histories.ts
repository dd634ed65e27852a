import { newApp, wrappedDb } from './apps.ts';

export type Random = () => number;

/**
 * An application whose database fails now and then, before a statement or after it, and takes its time, so that requests
 * overlap in every way. `rewrite` may break its SQL.
 */
export function faultyApp(random: Random, rewrite?: (query: string) => string) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 4));
  const db = wrappedDb(async (_, answer) => {
    await pause();
    if (random() < 0.03) throw new Error('D1_ERROR: Network connection lost.');
    const rows = await answer();
    await pause();
    if (random() < 0.03) throw new Error('D1_ERROR: Network connection lost.');
    return rows;
  }, rewrite);
  return newApp({ db }).app;
}
