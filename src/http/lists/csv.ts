export type Cell = string | number | boolean | null | undefined;

/**
 * The start of a formula in spreadsheets: the characters that OWASP lists under "CSV Injection", with their full-width
 * forms, also after white space, which some programs drop.
 */
const formulaStart = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/** One cell (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && formulaStart.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvRow = (cells: Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
