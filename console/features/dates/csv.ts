/* Tables as people's programs write them: separated by commas, semicolons or tabs, with or without a UTF-8 mark. */

/** A line of a table; a quoted cell may take several lines of the file. */
export interface Line {
  /** The number of its first line in the file, from 1. */
  number: number;
  cells: readonly string[];
}

export interface Csv {
  /** Lines without any text are left out. */
  lines: readonly Line[];
  /** The number of the line with a quoted cell that never ends. */
  open?: number;
}

const separators = [',', ';', '\t'] as const;

/** The separator that the first line has most of, outside of quoted cells. */
function separatorOf(text: string): string {
  const head = (/^\s*((?:"(?:[^"]|"")*"|[^"\r\n])*)/.exec(text)?.[1] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '');
  const countOf = (separator: string) => head.split(separator).length;
  return separators.reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}

/** Reads a table (RFC 4180, and the separators of spreadsheets). Cells are trimmed. */
export function parseCsv(marked: string): Csv {
  const text = marked.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  // A quoted cell with what follows it by mistake, or a plain one; then the separator, the end of the line, or the end.
  const cell = new RegExp(
    `(?:[ ]*"([^"]*(?:""[^"]*)*)"([^${separator}\\r\\n]*)|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const lines: Line[] = [];
  let [number, next] = [1, 1];
  let cells: string[] = [];
  while (cell.lastIndex < text.length || cells.length > 0) {
    const start = cell.lastIndex;
    const [whole, quoted, rest = '', plain = '', end] = cell.exec(text) ?? [];
    if (whole === undefined || (quoted === undefined && plain.trimStart().startsWith('"')))
      return { lines, open: next };
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest).trim());
    next += text.slice(start, start + whole.length).match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator) continue;
    if (cells.some((text) => text !== '')) lines.push({ number, cells });
    number = next;
    cells = [];
    if (end === '') break;
  }
  return { lines };
}
