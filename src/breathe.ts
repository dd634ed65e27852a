/** Time of the machine, also where a simulation has another. */
const later = setTimeout.bind(globalThis);

/** Lets other work of the process have a turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => void later(resolve));
