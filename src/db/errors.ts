/** Whether a write lost against another with the same key; `table` as it stands in the schema. */
export const isUniqueViolation = (error: unknown, table: string): boolean =>
  causes(error).some((cause) => cause.includes(`UNIQUE constraint failed: ${table}.`));

/** drizzle wraps what the driver says. */
const causes = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...causes(error.cause)] : [];
