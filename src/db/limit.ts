/**
 * Since 3.46 SQLite inspects the value of a limit that is a bare parameter, and recompiles the statement whenever one is
 * bound, which takes longer than most statements run. It does not inspect an expression. The same happens if the
 * condition of a partial index compares a column with a constant (`enabled = 0`, `role <> 'responder'`) and a statement
 * compares that column with a parameter: such statements use a constant.
 */
export const compiledOnce = (sql: string): string => sql.replaceAll('limit ?', 'limit +?');
