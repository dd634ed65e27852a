import type { D1Database } from '@cloudflare/workers-types';
import { createFloor, type FloorDatabase } from './app.ts';

/* The floor as a Worker. */
let database: FloorDatabase | undefined;
const app = createFloor(() => database as FloorDatabase);

export default {
  fetch(request: Request, env: { DB: D1Database }) {
    database ??= {
      all: (sql, values) =>
        env.DB.prepare(sql)
          .bind(...values)
          .raw(),
      write: (statements) =>
        env.DB.batch(statements.map(([sql, values]) => env.DB.prepare(sql).bind(...values))),
    };
    return app.fetch(request);
  },
};
