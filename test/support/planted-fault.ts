/** A deliberate fault, and the test files that must notice it. */
export interface Mutant {
  /** The defect of the code with the fault. */
  fault: string;
  file: string;
  /** A top-level function, class or constant, or `Class.method`; of a migration: a table, index, view or trigger. */
  within: string;
  /** Occurs exactly once in the declaration; the rest of the file does not count. */
  find: string;
  replace: string;
  tests: readonly string[];
}

/** The source with the fault in it. @throws when the declaration does not occur exactly once, or the text within it */
export function plant({ file, fault, within, find, replace }: Mutant, source: string): string {
  const declarations = file.endsWith('.sql') ? [statement(within)] : within.split('.').map(declaration);
  const declared = declarations.reduce((outer, pattern) => only(outer.match(pattern), within), source);
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

/** From the line that declares the name to the next line that begins as far left: the formatter sees to that. */
const declaration = (name: string, depth: number) => {
  const indent = '  '.repeat(depth);
  const keywords = depth === 0 ? '(?:export |async )*(?:function\\*?|const|class) ' : '(?:async )?';
  return new RegExp(`^${indent}${keywords}${name}\\b.*(?:\\n(?!${indent}[\\w#/]).*)*`, 'gm');
};

const statement = (name: string) =>
  new RegExp(`^CREATE [A-Z ]+ \`${name}\` (?:(?!--> statement-breakpoint)[^])*`, 'gm');
