/**
 * Since 3.46 SQLite looks at the value of a limit that is a parameter by itself, and compiles the statement again
 * whenever one is bound, which takes longer than most statements run. It does not look at an expression. It does the same
 * where the condition of a partial index compares a column with a constant (`enabled = 0`, `role <> 'responder'`) and a
 * statement compares it so with a parameter: such statements have a constant.
 */
export const compiledOnce = (sql: string): string => sql.replaceAll('limit ?', 'limit +?');
