/** `number`: the text of a number, as somebody wrote it. */
export type Cell = string | number | boolean | null | undefined | { number: string };

/**
 * The start of a formula in spreadsheets: the characters that OWASP lists under "CSV Injection", with their full-width
 * forms, also after white space, which some programs drop.
 */
const formulaStart = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/**
 * The start of another cell, or of another line, within a text: a program that separates cells by semicolons or tabs
 * honours no quotes in the middle of a line. A run goes on as far as it can, so that each character is looked at once.
 */
const cellStarts = /[;\t\r\n][\s";]*/g;
const formulaSign = /[=+\-@＝＋－＠]/;

/** A regular expression of negative numbers, which are no formulas. */
const negative = '-[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?';
const negativeCell = new RegExp(`${negative}(?:[;\t\r\n]|$)`, 'y');
export const negativeNumber = new RegExp(`^${negative}$`);

/** One cell (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  const text = typeof value === 'object' && value ? value.number : String(value ?? '');
  const safe = typeof value === 'string' ? withoutFormulas(text) : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const withoutFormulas = (text: string) =>
  (formulaStart.test(text) ? "'" : '') +
  text.replaceAll(cellStarts, (run, at: number) => (isFormula(text, at + run.length) ? `${run}'` : run));

function isFormula(text: string, at: number): boolean {
  negativeCell.lastIndex = at;
  return formulaSign.test(text.charAt(at)) && !negativeCell.test(text);
}

/** The mark of UTF-8 at the beginning of a file, by which spreadsheets know its encoding. */
export const utf8Mark = '\uFEFF';

export const csvRow = (cells: Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
