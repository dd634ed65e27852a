import type { Database } from '../../../src/db/database.ts';

export type * from '../../../src/db/statements.ts';

/** Builds the query at each call, with values in the places of placeholders. */
export const statement =
  <V, Q, S = void>(build: (db: Database, values: V, shape: S) => Q) =>
  (db: Database, values: V, shape: S) =>
    build(db, values, shape);
