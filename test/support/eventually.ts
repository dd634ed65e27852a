export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Repeats `find` until it finds something. The limit only names what never happened before the test's own timeout
 * ends it: no test may depend on how fast something happens.
 */
export async function eventually<T>(
  what: string,
  find: () => Promise<T | undefined | null | false>,
  withinMs = 100_000,
): Promise<T> {
  const started = performance.now();
  for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 250)) {
    const found = await find();
    if (found) return found;
    if (performance.now() - started > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await sleep(waitMs);
  }
}
