/** Longest wait in which no work of the queue ends: a request may hang up, and its work with it. */
const patienceMs = 10_000;

interface Queue {
  /** The end of the last work; never fails. */
  tail: Promise<void>;
  /** Pieces of work that have ended. */
  ended: number;
}

const queues = new Map<string, Queue>();

/**
 * Does something after everything else of this name that began in this process. People enrol by the hundred at once, and
 * each needs the newest entry of the study's log: without a queue they would undo each other's writes again and again. For
 * speed only: other processes have queues of their own, and the statements that write are guarded.
 */
export async function inQueue<T>(name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(name) ?? { tail: Promise.resolve(), ended: 0 };
  queues.set(name, queue);
  const before = queue.tail;
  const { promise: gate, resolve: end } = Promise.withResolvers<void>();
  queue.tail = gate;
  try {
    let seen = queue.ended;
    while (!(await endsSoon(before)) && queue.ended > seen) seen = queue.ended;
    return await work();
  } finally {
    queue.ended++;
    end();
    if (queue.tail === gate) queues.delete(name);
  }
}

async function endsSoon(gate: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  const ended = await Promise.race([gate.then(() => true), late.promise]);
  clearTimeout(timer);
  return ended;
}
