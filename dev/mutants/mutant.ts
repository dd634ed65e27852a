/** A deliberate fault, and the test files that must notice it. */
export interface Mutant {
  /** What is wrong with the code then. */
  fault: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  tests: readonly string[];
}

/** The source with the fault in it. @throws when the text to replace is not there exactly once */
export function plant({ file, fault, find, replace }: Mutant, source: string): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${file}: the text of "${fault}" occurs ${count} times, expected once`);
  return source.replace(find, () => replace);
}

/** Faults of one file that the same tests must notice: what is wrong then, the text to find, and what takes its place. */
export const faultsIn = (
  file: string,
  tests: readonly string[],
  faults: readonly (readonly [fault: string, find: string, replace: string])[],
): Mutant[] => faults.map(([fault, find, replace]) => ({ fault, file, find, replace, tests }));
