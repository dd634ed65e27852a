import { pushPayload } from '../../../src/push/sns/payloads.ts';
import { type Task, taskName } from './task.ts';

/** A task with the store's data at its due time. */
export interface Reminder extends Task {
  endpoint: string;
  investigation: string;
  subject: string;
  body: string;
  /** Minutes. */
  expiresAfter: number;
}

export interface Publication {
  target: string;
  message: string;
  attributes: Record<string, string>;
}

/** The same message as Fieldbell's. */
export function publication(reminder: Reminder): Publication {
  const { endpoint, survey, investigation, subject, body, dueAt, expiresAfter } = reminder;
  const name = taskName(reminder);
  const { message, attributes } = pushPayload({
    endpoint,
    title: subject,
    body,
    data: { survey, investigation, notification: name },
    collapseId: name,
    ttlSeconds: Math.max(1, Math.floor((dueAt + expiresAfter * 60_000 - Date.now()) / 1000)),
  });
  return { target: endpoint, message, attributes };
}
