/** The columns of a table's properties: one for each that the study declares, and the reader sees. */
export const groupColumns = (declared: readonly { name: string }[]) => ({
  header: declared.map(({ name }) => `property.${name}`),
  cells: ({ properties }: { properties: Readonly<Record<string, string>> | null }) =>
    declared.map(({ name }) => properties?.[name]),
});
