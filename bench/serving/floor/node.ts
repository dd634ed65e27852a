import process from 'node:process';
import { serve } from '@hono/node-server';
import { createFloor } from './app.ts';
import { openFile } from './sqlite.ts';

/* The floor on Node. Environment: `FIELDBELL_DB`, the file. */
const database = await openFile(process.env.FIELDBELL_DB ?? '');
const app = createFloor(() => database);
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(JSON.stringify({ event: 'start', url: `http://127.0.0.1:${port}` })),
);
