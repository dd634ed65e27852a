/*
 * Replaces imports of packages that the Worker does not need, by `alias` in `wrangler.toml`. cron-parser only parses the
 * fields of an expression, for which it makes a date that nobody reads; hono-openapi is given schemas that convert
 * themselves (`described` in `src/http/openapi/json-schemas.ts`).
 */

/** Replaces luxon's class. */
export const DateTime = { local: () => ({ isValid: true }) };

function leftOut(): never {
  throw new Error('This part of a package is not in the Worker (alias in wrangler.toml)');
}

export { leftOut as loadVendor, leftOut as toJsonSchema, leftOut as toOpenAPISchema };
