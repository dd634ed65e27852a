/*
 * What packages import and the Worker does not need: `alias` in `wrangler.toml` puts this in its place. cron-parser only
 * parses the fields of an expression, for which it makes a date that nobody reads; hono-openapi is given schemas that
 * convert themselves (`described` in `src/http/openapi/json-schemas.ts`).
 */

/** In place of luxon's. */
export const DateTime = { local: () => ({ isValid: true }) };

function leftOut(): never {
  throw new Error('This part of a package is not in the Worker (alias in wrangler.toml)');
}

export { leftOut as loadVendor, leftOut as toJsonSchema, leftOut as toOpenAPISchema };
