export type Cell = string | number | boolean | null | undefined;

/**
 * What a spreadsheet takes for the start of a formula: the characters that OWASP names under "CSV Injection",
 * their full-width forms among them, also behind the white space that some programs drop.
 */
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/** One cell (RFC 4180). A text that would be run as a formula gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvRow = (cells: Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
