/** Whether a write lost against another with the same key; `table` as the schema names it. */
export const isUniqueViolation = (error: unknown, table: string): boolean =>
  causes(error).some((cause) => cause.includes(`UNIQUE constraint failed: ${table}.`));

/**
 * Whether a guard stopped a batch: guards set a required column to null if the read that the batch was made from no
 * longer holds, so that nothing is written. (Input is never null there: it is validated.)
 */
export const isGuardViolation = (error: unknown): boolean =>
  causes(error).some((cause) => cause.includes('NOT NULL constraint failed: '));

/** Whether the database as a whole is at fault, so that an immediate retry would only add to its load. */
export const isSharedFault = (error: unknown): boolean =>
  causes(error).some((cause) =>
    /overloaded|connection lost|code was updated|storage caused object to be reset|transient issue|is full|readonly database|disk I\/O|is locked|maximum DB size/i.test(
      cause,
    ),
  );

/** drizzle wraps the driver's error. */
const causes = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...causes(error.cause)] : [];
