/** The growth of delays: from `baseMs` after the first attempt, doubling, up to `maxMs`. */
export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/**
 * Milliseconds to wait after the failed attempt `attempt` (from 1): exponential, with the upper half of it random, so
 * that callers that failed together do not come back together.
 */
export function backoffMs(attempt: number, { baseMs, maxMs }: Backoff): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + Math.random() * (ceiling / 2));
}

/** Statuses by which a server asks for another try: Windows throttles by 402 and 406. */
const passing = new Set([402, 406, 408, 425, 429]);

/** Whether a push that was answered so may be taken at another try. */
export const isPassing = (status: number): boolean => passing.has(status) || status >= 500;

export interface RetryOptions extends Backoff {
  maxAttempts: number;
  /** Whether an error is worth another attempt. Default: any error. */
  isRetryable?: (error: unknown) => boolean;
}

/** Runs `work` until it succeeds. @throws the error of the last attempt */
export async function retry<T>(
  work: () => Promise<T>,
  { maxAttempts, isRetryable = () => true, ...backoff }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, backoff)));
    }
  }
}
