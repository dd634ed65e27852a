/* A table as a file: the rows that are read, in words. */

/** The start of a formula in spreadsheets, also after white space. */
const formulaStart = /^\s*[=+\-@＝＋－＠]/;

/** The same within a text, for programs that separate cells by semicolons. */
const formulaWithin = /(;[\s"]*)(?=[=+\-@＝＋－＠])(?!-[\d.,]+(?:[eE][+-]?\d+)?%?(?:;|$))/g;

/** One cell (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay. */
export function cellOf(shown: string): string {
  const text = shown.replaceAll(/[ \t]*\n\s*/g, '; ').trim();
  const isFormula = formulaStart.test(text) && !/^-?[\d.,]+(?:[eE][+-]?\d+)?%?$/.test(text);
  const safe = `${isFormula ? "'" : ''}${text.replaceAll(formulaWithin, "$1'")}`;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Columns of buttons, boxes to tick, and details below a row are left out. */
export function csvOf(table: HTMLTableElement): string {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const rows = [...table.tBodies].flatMap(({ rows }) => [...rows]).filter((row) => !row.matches('.below'));
  const isText = (at: number) =>
    !heads[at]?.matches('.check') &&
    !rows.some((row) => row.cells[at]?.querySelector('button:not(.disclosure), select, input'));
  const places = heads.flatMap((_, at) => (isText(at) ? [at] : []));
  const line = (cells: readonly (HTMLTableCellElement | undefined)[]) =>
    `${places.map((at) => cellOf(cells[at]?.innerText ?? '')).join(',')}\r\n`;
  return [heads, ...rows.map((row) => [...row.cells])].map(line).join('');
}
