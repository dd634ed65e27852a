/** The place of something that the reader of a list does not see, without its identifier: only the beginning of it. */
export const hiddenPlace = (id: string): string => `${id.slice(0, 24)}${'0'.repeat(8)}`;
