/** A deliberate fault, which a test must notice. */
export interface Mutant {
  /** The defect of the code with the fault. */
  fault: string;
  file: string;
  /** A top-level function. */
  within: string;
  /** Occurs exactly once in the function; the rest of the file does not count. */
  find: string;
  replace: string;
}

/** The source with the fault in it. @throws when the function does not occur exactly once, or the text within it */
export function plant({ file, fault, within, find, replace }: Mutant, source: string): string {
  // To the next line that begins as far left: the formatter sees to that.
  const declaration = new RegExp(
    `^(?:export |async )*function\\*? ${within}\\b.*(?:\\n(?![\\w#/]).*)*`,
    'gm',
  );
  const declared = only(source.match(declaration), within);
  const at = source.indexOf(declared);
  only(declared.split(find).slice(1), `the text of "${fault}" in ${within}`);
  return source.slice(0, at) + declared.replace(find, () => replace) + source.slice(at + declared.length);

  function only(found: readonly string[] | null, what: string): string {
    const [first, ...others] = found ?? [];
    if (first === undefined || others.length > 0)
      throw new Error(`${file}: ${what} occurs ${found?.length ?? 0} times, expected once`);
    return first;
  }
}
