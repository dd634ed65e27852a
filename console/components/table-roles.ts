/** Safari forgets the roles of a table's parts that are laid out otherwise. Spread, since their tags imply them elsewhere. */
export const as = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;
