import process from 'node:process';
import { createFloor } from './app.ts';
import { openFile } from './sqlite.ts';

/** Deno's types are not installed. */
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): unknown;
};

/* The floor on Deno. Environment: `FIELDBELL_DB`, the file. */
const database = await openFile(process.env.FIELDBELL_DB ?? '');
const app = createFloor(() => database);
const onListen = ({ port }: { port: number }) =>
  console.log(JSON.stringify({ event: 'start', url: `http://127.0.0.1:${port}` }));
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, (request) => app.fetch(request));
