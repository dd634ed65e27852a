import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq';
import { type Task, taskName } from '../peers/task.ts';

export const queueName = 'reminders';

export const connectionTo = (socket: string): ConnectionOptions => ({
  path: socket,
  maxRetriesPerRequest: null,
});

export const openQueue = (connection: ConnectionOptions) => new Queue<Task>(queueName, { connection });

/** A delayed job. Its id is the occurrence's, so that it cannot be added twice. */
export function jobOf(task: Task): { name: string; data: Task; opts: JobsOptions } {
  const opts: JobsOptions = {
    jobId: taskName(task),
    delay: Math.max(task.dueAt - Date.now(), 0),
    attempts: 5,
    backoff: { type: 'exponential', delay: 1_000 },
    removeOnComplete: true,
  };
  return { name: 'remind', data: task, opts };
}

/** Opens the queue for `work` and closes it. */
export async function withQueue<T>(socket: string, work: (queue: Queue<Task>) => Promise<T>): Promise<T> {
  const queue = openQueue(connectionTo(socket));
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
