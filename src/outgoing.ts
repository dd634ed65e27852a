/** A deadline is counted in this many parts. */
const deadlineParts = 10;

/** The error of a call whose deadline has passed. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/**
 * Runs `work` for at most `milliseconds`: then its signal aborts, and the call ends, whatever becomes of the work. The time
 * is counted in parts, so that a process that got no CPU for longer first reads the answers that have arrived meanwhile: a
 * push that SNS accepted is then not repeated. Unlike with `AbortSignal.timeout`, the timer ends with the work: a pending
 * timer would keep a Durable Object awake, and billed, long after its push is out. @throws DeadlineError
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const partMs = milliseconds / deadlineParts;
  let partsLeft = deadlineParts;
  const count = () => {
    partsLeft -= 1;
    if (partsLeft > 0) {
      timer = setTimeout(count, partMs);
      return;
    }
    const error = new DeadlineError('the time for the call is over');
    controller.abort(error);
    reject(error);
  };
  let timer: ReturnType<typeof setTimeout> = setTimeout(count, partMs);
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** The beginning of an answer as text; of a longer one the rest is not read. */
export async function readText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let remaining = maxBytes;
  // To leave the loop ends the connection.
  for await (const part of body ?? []) {
    text += decoder.decode(part.subarray(0, remaining), { stream: true });
    remaining -= part.length;
    if (remaining <= 0) break;
  }
  return text;
}
