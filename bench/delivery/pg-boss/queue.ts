import { type JobInsert, PgBoss } from 'pg-boss';
import { type Task, taskName } from '../peers/task.ts';
import type { Address } from './postgres.ts';

export const queueName = 'reminders';

/** `max`: connections of its own, at most. Nothing here is repeated by a schedule, so that none is looked for. */
export const openBoss = (address: Address, max = 10) => new PgBoss({ ...address, max, schedule: false });

/** A job that waits until it is due. The occurrence gives it its id, so that it cannot be inserted twice. */
export const jobOf = (task: Task): JobInsert<Task> => ({
  id: taskName(task).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  data: task,
  startAfter: new Date(task.dueAt),
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
});
