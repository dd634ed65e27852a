import { isSharedFault } from '../../db/errors.ts';

interface CollectOptions {
  /** Longest wait of a first caller for others. */
  maxWaitMs: number;
  /** Arguments of one call. */
  max: number;
  /** Callers that wait; further ones are refused. */
  maxWaiting: number;
}

interface Call<A, R> {
  argument: A;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins concurrent calls into one call of `work` with all their arguments, which returns a result for each. One call is
 * under way at a time; others gather meanwhile. A call that fails is made again for each argument alone, so that no caller
 * suffers from another's fault, unless the fault is the database's.
 */
export function collect<A, R>(
  work: (list: A[]) => Promise<R[]>,
  { maxWaitMs, max, maxWaiting }: CollectOptions,
): (argument: A) => Promise<R> {
  const waiting: Call<A, R>[] = [];
  let isRunning = false;

  async function run(calls: readonly Call<A, R>[]): Promise<void> {
    try {
      const results = await work(calls.map(({ argument }) => argument));
      for (const [n, { resolve }] of calls.entries()) resolve(results[n] as R);
    } catch (error) {
      if (calls.length === 1 || isSharedFault(error)) for (const { reject } of calls) reject(error);
      else for (const call of calls) await run([call]);
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    await new Promise((resolve) => setTimeout(resolve, maxWaitMs));
    while (waiting.length > 0) await run(waiting.splice(0, max));
    isRunning = false;
  }

  return (argument) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new Error(`Overloaded: ${waiting.length} others wait already.`));
        return;
      }
      waiting.push({ argument, resolve, reject });
      if (!isRunning) void runAll();
    });
}
