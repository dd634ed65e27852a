import { isSharedFault } from './errors.ts';

export interface JoinOptions {
  /** Statements in a joined batch: those of 64 deliveries, so that most of the deliveries under way push meanwhile. */
  maxStatements?: number;
  /** Bytes of SQL and parameters in a joined batch, counted as characters. */
  maxBytes?: number;
  /** Longest time that the first caller of a batch waits for others. */
  maxWaitMs?: number;
  /** Joined batches under way at once. Later callers gather for the next one. */
  maxConcurrent?: number;
  /** Most callers that wait; further ones are refused as overloaded. */
  maxWaiting?: number;
}

/** The batch of one caller. */
interface Call<S, R> {
  statements: readonly S[];
  bytes: number;
  resolve: (results: R[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins the batches of concurrent callers into one, and hands each caller its own results. A joined batch that fails is
 * retried caller by caller, so that no caller suffers from another's fault; use it only for batches that may run twice. A
 * fault of the database as a whole goes to all callers at once.
 */
export function joinBatches<S, R>(
  batch: (statements: readonly S[]) => Promise<R[]>,
  options: JoinOptions = {},
): (statements: readonly S[], bytes: number) => Promise<R[]> {
  const { maxStatements = 128, maxBytes = 500_000, maxWaitMs = 20 } = options;
  const { maxConcurrent = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY } = options;
  let waiting: Call<S, R>[] = [];
  let [statements, bytes] = [0, 0];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function add(call: Call<S, R>) {
    waiting.push(call);
    statements += call.statements.length;
    bytes += call.bytes;
    if (running < maxConcurrent) flushOrWait();
  }

  function flushOrWait() {
    if (statements >= maxStatements || bytes >= maxBytes) flush();
    else if (waiting.length > 0) timer ??= setTimeout(flush, maxWaitMs);
  }

  function flush() {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const calls = take();
    running += 1;
    void run(calls).then(() => {
      // The gathered callers have waited long enough.
      if (running-- === maxConcurrent) flush();
    });
    if (running < maxConcurrent) flushOrWait();
  }

  /** As many waiting callers as fit one batch, at least the first. */
  function take(): Call<S, R>[] {
    let [count, size] = [0, 0];
    const end = waiting.findIndex((call, n) => {
      count += call.statements.length;
      size += call.bytes;
      return n > 0 && (count > maxStatements || size > maxBytes);
    });
    const calls = waiting.slice(0, end === -1 ? waiting.length : end);
    waiting = waiting.slice(calls.length);
    for (const call of calls) {
      statements -= call.statements.length;
      bytes -= call.bytes;
    }
    return calls;
  }

  async function run(calls: readonly Call<S, R>[]) {
    try {
      const results = await batch(calls.flatMap((call) => call.statements));
      let start = 0;
      for (const { statements, resolve } of calls) {
        resolve(results.slice(start, start + statements.length));
        start += statements.length;
      }
    } catch (error) {
      if (calls.length === 1 || isSharedFault(error)) for (const { reject } of calls) reject(error);
      else for (const call of calls) await run([call]);
    }
  }

  return (own, size) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting)
        reject(new Error(`Overloaded: ${waiting.length} others wait already.`));
      else add({ statements: own, bytes: size, resolve, reject });
    });
}
