export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const reportMs = 60_000;
/** Longer than any test may take, so that nothing goes on for ever behind one that has failed. */
const endMs = 20 * 60_000;

type Found<T> = T | undefined | null | false;

/**
 * Repeats `find` until it finds something. There is no limit but the test's own timeout, since no test may depend on how
 * fast something happens; so what is still waited for is written each minute, and shown when the test fails.
 */
export async function eventually<T>(
  what: string | (() => string),
  find: () => Promise<Found<T>> | Found<T>,
): Promise<T> {
  const started = performance.now();
  let nextReport = started + reportMs;
  for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 250)) {
    const found = await find();
    if (found) return found;
    const now = performance.now();
    const report = () =>
      `Still waiting after ${Math.round((now - started) / 1000)} s: ${typeof what === 'string' ? what : what()}`;
    if (now - started > endMs) throw new Error(report());
    if (now > nextReport) {
      nextReport += reportMs;
      console.warn(report());
    }
    await sleep(waitMs);
  }
}

/** Repeats `check` until it no longer throws. */
export async function eventuallyPasses<T>(check: () => Promise<T> | T): Promise<T> {
  let last: unknown;
  const { value } = await eventually(
    () => String(last),
    async () => {
      try {
        return { value: await check() };
      } catch (error) {
        last = error;
        return null;
      }
    },
  );
  return value;
}
