/** Resolves in a task of its own, after which the browser may answer the person: a task of more than 50 ms is felt. */
export const ownTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
