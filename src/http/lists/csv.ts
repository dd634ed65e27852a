/** `number`: the text of a number, as somebody wrote it. */
export type Cell = string | number | boolean | null | undefined | { number: string };

/**
 * The start of a formula in spreadsheets: the characters that OWASP lists under "CSV Injection", with their full-width
 * forms, also after white space, which some programs drop.
 */
const formulaStart = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same within a text: a program that separates cells by semicolons or tabs honours no quotes in the middle of a line,
 * and begins another cell, or another line, there. A negative number is no formula.
 */
const formulaWithin =
  /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])(?!-[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?:[;\t\r\n]|$))/g;

/** One cell (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  const text = typeof value === 'object' && value ? value.number : String(value ?? '');
  const safe = typeof value === 'string' ? withoutFormulas(text) : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const withoutFormulas = (text: string) =>
  `${formulaStart.test(text) ? "'" : ''}${text.replaceAll(formulaWithin, "$1'")}`;

export const csvRow = (cells: Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
