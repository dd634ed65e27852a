import type { Role } from './api.ts';
import type { PropertyRule } from './groups.ts';

/*
 * The one place that says what each role may do in the console. The service decides; the console leaves out what it would refuse.
 */

const rights = {
  /** Everybody's records, participants, compliance, the log. */
  readAll: ['owner', 'editor', 'monitor'],
  /** Cases and answers of one's own. Everybody who sees an item may lock it, too. */
  record: ['owner', 'editor', 'responder'],
  /** Dates, properties, member codes, codes for participants, and the records of others. */
  edit: ['owner', 'editor'],
  /** Surveys, reminders, information for participants, reviews of the log: of those who see the whole study. */
  design: ['owner', 'editor'],
  /** Members, programs, webhooks, the freeze, and the study itself. */
  own: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rights;

/** The role of somebody in a study, and the part of it that they see. */
export interface Standing {
  role: Role;
  scope?: PropertyRule | null | undefined;
}

/** Whether somebody may do it. */
export const may = ({ role, scope }: Standing, right: Right): boolean =>
  (rights[right] as readonly Role[]).includes(role) && !(right === 'design' && scope);

/** In the order of lists from which a role is chosen. */
export const roles: readonly Role[] = ['owner', 'editor', 'monitor', 'responder'];
