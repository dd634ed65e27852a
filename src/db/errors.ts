/** Whether a write lost against another with the same key; `table` as the schema names it. */
export const isUniqueViolation = (error: unknown, table: string): boolean =>
  causes(error).some((cause) => cause.includes(`UNIQUE constraint failed: ${table}.`));

/**
 * Whether a guard stopped a batch: one that sets a required column to null when what the batch was made from
 * no longer holds, so that nothing of it is written. (Input is never null there: it is validated.)
 */
export const isGuardViolation = (error: unknown): boolean =>
  causes(error).some((cause) => cause.includes('NOT NULL constraint failed: '));

/** drizzle wraps what the driver says. */
const causes = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...causes(error.cause)] : [];
