/** Longest wait in which nobody's turn ends: a request may hang up, and its turn with it. */
const patienceMs = 10_000;

interface Queue {
  /** The end of the last turn; never fails. */
  tail: Promise<void>;
  /** Turns that have ended. */
  ended: number;
}

const queues = new Map<string, Queue>();

/**
 * Does something after everything else of this name that began in this process. People enrol by the hundred at once, and
 * each needs the newest entry of the study's log: without turns they would undo each other's writes again and again. For
 * speed only: other processes keep no turns, and the statements that write are guarded.
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(name) ?? { tail: Promise.resolve(), ended: 0 };
  queues.set(name, queue);
  const before = queue.tail;
  const { promise: turn, resolve: end } = Promise.withResolvers<void>();
  queue.tail = turn;
  try {
    let seen = queue.ended;
    while (!(await endsSoon(before)) && queue.ended > seen) seen = queue.ended;
    return await work();
  } finally {
    queue.ended++;
    end();
    if (queue.tail === turn) queues.delete(name);
  }
}

async function endsSoon(turn: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  const ended = await Promise.race([turn.then(() => true), late.promise]);
  clearTimeout(timer);
  return ended;
}
