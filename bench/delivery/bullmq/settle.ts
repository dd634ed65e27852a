import type { Queue } from 'bullmq';
import type { Task } from '../peers/task.ts';
import { jobOf } from './queue.ts';
import type { openState, Sent } from './state.ts';

/**
 * Records what was sent and adds the successors. Jobs that end in the same turn of the event loop share a transaction
 * and one round trip to Redis. If the worker dies between the two, the job runs again, finds its push sent, and adds the
 * successor then.
 */
export function createSettle(state: ReturnType<typeof openState>, queue: Queue<Task>) {
  let waiting: { sent: Sent; done: () => void; failed: (error: unknown) => void }[] = [];

  async function flush() {
    const group = waiting;
    waiting = [];
    try {
      state.record(group.map(({ sent }) => sent));
      await queue.addBulk(group.map(({ sent }) => jobOf(sent.next)));
      for (const { done } of group) done();
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }

  return (sent: Sent): Promise<void> =>
    new Promise((done, failed) => {
      if (waiting.push({ sent, done, failed }) === 1) setImmediate(flush);
    });
}
