/**
 * Since 3.46 SQLite looks at the value of a limit that is a parameter by itself, and compiles the statement again
 * whenever one is bound, which takes longer than most statements run. It does not look at an expression.
 */
export const compiledOnce = (sql: string): string => sql.replaceAll('limit ?', 'limit +?');
