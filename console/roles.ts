import type { Role } from './api.ts';

/*
 * The one place that says what each role may do in the console. The service decides; the console leaves out what it would refuse.
 */

const rights = {
  /** Everybody's records, participants, compliance, the log. */
  readAll: ['owner', 'editor', 'monitor'],
  /** Cases and answers of one's own. Everybody who sees an item may lock it, too. */
  record: ['owner', 'editor', 'responder'],
  /** Surveys, reminders, dates, member codes, codes for participants, and the records of others. */
  edit: ['owner', 'editor'],
  /** Members, programs, webhooks, the freeze, and the study itself. */
  own: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rights;

/** Whether somebody with this role may do it. */
export const may = (role: Role, right: Right): boolean => (rights[right] as readonly Role[]).includes(role);

/** In the order of lists from which a role is chosen. */
export const roles: readonly Role[] = ['owner', 'editor', 'monitor', 'responder'];
