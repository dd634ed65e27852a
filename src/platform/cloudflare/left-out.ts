/* Replaces modules of packages that the Worker does not need, by `alias` in `wrangler.toml`. */

const none = () => undefined;

/** Of luxon: cron-parser only parses the fields of an expression, for which it makes a date that nobody reads. */
export const DateTime = { local: () => ({ isValid: true }) };

/** Of zod: its converter to JSON Schema, because the build has made the API document. */
export {
  none as aggregateChecks,
  none as allProcessors,
  none as createStandardJSONSchemaMethod,
  none as createToJSONSchemaMethod,
  none as extractDefs,
  none as finalize,
  none as initializeContext,
  none as processSchema,
  none as toJSONSchema,
};

/** Of drizzle: queries by relations, of which the schema has none. */
export class RelationalQueryBuilder {}
export {
  none as createTableRelationsHelpers,
  none as extractTablesRelationalConfig,
  none as getOperators,
  none as getOrderByOperators,
  none as Many,
  none as normalizeRelation,
  none as One,
};
