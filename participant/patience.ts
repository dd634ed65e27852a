/* Limits of waiting: browsers have functions that never answer. Shared with the service worker. */

/** Somebody or something gave no answer in time. */
export class ImpatienceError extends Error {
  override readonly name = 'ImpatienceError';
}

/** Settles as the promise does, or rejects after so long. @throws ImpatienceError */
export function within<T>(ms: number, promise: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ImpatienceError(`No answer within ${ms} ms.`)), ms);
    promise.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

/** Its value, or undefined if it fails or takes too long. */
export const perhaps = <T>(ms: number, act: () => PromiseLike<T>): Promise<T | undefined> =>
  within(ms, Promise.resolve().then(act)).catch(() => undefined);

/** A signal for `fetch`. An older Safari has none of its own. */
export function timeLimit(ms: number): AbortSignal {
  if (AbortSignal.timeout) return AbortSignal.timeout(ms);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
