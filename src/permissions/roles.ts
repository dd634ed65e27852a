/** The roles of members, from the one that may do most. */
export const roles = ['owner', 'editor', 'monitor', 'responder'] as const;
export type Role = (typeof roles)[number];

/** The roles that change a study's content, and see codes of enrolment. */
export const editors: readonly Role[] = ['owner', 'editor'];

/** The roles that see everybody's: editors, and monitors, who lock and unlock, and change nothing. */
export const staff: readonly Role[] = [...editors, 'monitor'];
