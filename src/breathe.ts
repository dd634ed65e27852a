/** The machine's time, also under a simulated clock. */
const later = setTimeout.bind(globalThis);

/** Lets other work of the process have a turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => void later(resolve));
