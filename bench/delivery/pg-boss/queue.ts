import { type JobInsert, PgBoss } from 'pg-boss';
import { type Task, taskName } from '../peers/task.ts';
import type { Address } from './postgres.ts';

export const queueName = 'reminders';

/** `max`: its connections. No job repeats by a schedule, so it looks for none. */
export const openBoss = (address: Address, max = 10) => new PgBoss({ ...address, max, schedule: false });

/** A job that waits until it is due. Its id is the occurrence's, so that it cannot be inserted twice. */
export const jobOf = (task: Task): JobInsert<Task> => ({
  id: taskName(task).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  data: task,
  startAfter: new Date(task.dueAt),
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
});
