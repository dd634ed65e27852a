import { newApp, wrappedDb } from '../../support/worker/apps.ts';

export type Random = () => number;

/** Calls of others that one lets pass, at most. Now and then many, so that much happens between a read and its write. */
const passed = (random: Random) => Math.floor(random() * (random() < 0.2 ? 60 : 6));

/**
 * An application whose database fails now and then, before a statement or after it, and answers out of order, so that
 * requests overlap in every way. `rewrite` may break its SQL.
 */
export function faultyApp(random: Random, rewrite?: (query: string) => string) {
  const turn = turns(random);
  const db = wrappedDb(async (_, answer) => {
    const fails = () => {
      if (random() < 0.03) throw new Error('D1_ERROR: Network connection lost.');
    };
    const rows = await turn(async () => {
      fails();
      return await answer();
    });
    return turn(async () => {
      fails();
      return rows;
    });
  }, rewrite);
  return newApp({ db }).app;
}

/**
 * Each call runs after a random number of calls that end meanwhile, or when nothing else runs. By number and not by
 * time, since a few milliseconds mix much on a busy machine and nothing on a fast one.
 */
function turns(random: Random) {
  const waiting: { after: number; start: () => void }[] = [];
  let ended = 0;
  let running = 0;

  function startNext() {
    waiting.sort((a, b) => a.after - b.after);
    while (waiting[0] && (running === 0 || waiting[0].after <= ended)) {
      running += 1;
      waiting.shift()?.start();
    }
  }

  return async <T>(call: () => Promise<T>): Promise<T> => {
    await new Promise<void>((start) => {
      waiting.push({ after: ended + passed(random), start });
      startNext();
    });
    try {
      return await call();
    } finally {
      ended += 1;
      running -= 1;
      startNext();
    }
  };
}
