/** The roles of members, from the one that may do most. */
export const roles = ['owner', 'editor', 'responder'] as const;
export type Role = (typeof roles)[number];
