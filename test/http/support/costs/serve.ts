import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type * as NodeServer from '@hono/node-server';
import type * as App from '../../../../src/app.ts';
import type * as Configuration from '../../../../src/config.ts';
import type * as Sqlite from '../../../../src/platform/server/open-sqlite.ts';
import type * as Server from '../../../../src/platform/server/services.ts';
import type * as StaticFiles from '../../../../src/platform/server/static-files.ts';

/*
 * The service of a tree, `serve.ts <tree>`, without the work of its minutes and without what follows an answer, so that
 * the time of its process is the time of requests. The database is migrated.
 */

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Response | Promise<Response>,
  ): { addr: { port: number } };
};

const [, , tree = ''] = process.argv;
const load = (file: string) => import(pathToFileURL(`${tree}/${file}`).href);

const { createApp }: typeof App = await load('src/app.ts');
const { openSqlite }: typeof Sqlite = await load('src/platform/server/open-sqlite.ts');
const { createServices }: typeof Server = await load('src/platform/server/services.ts');
const { readConfig }: typeof Configuration = await load('src/config.ts');
const { withStaticFiles }: typeof StaticFiles = await load('src/platform/server/static-files.ts');

const config = readConfig(process.env);
const { services } = createServices(await openSqlite(process.env.FIELDBELL_DB ?? ''), config, () => {});
const app = createApp(
  {
    ...services,
    // A relay that takes everything.
    push: {
      ...services.push,
      register: async ({ token }) => ({ state: 'registered', endpoint: `endpoint/${token}` }),
      remove: async () => ({ state: 'removed' }),
      send: async () => ({ state: 'sent', messageId: 'message' }),
    },
    defer: () => {},
  },
  config,
);
const fetch = withStaticFiles((request: Request, address: string | undefined) =>
  app.fetch(request, { address }),
);

const port = 'Deno' in globalThis ? listenOnDeno() : await listenOnNode();
console.log(JSON.stringify({ event: 'start', url: `http://127.0.0.1:${port}` }));

function listenOnDeno() {
  const options = { hostname: '127.0.0.1', port: 0, onListen: () => {} };
  return Deno.serve(options, (request, { remoteAddr }) => fetch(request, remoteAddr.hostname)).addr.port;
}

async function listenOnNode() {
  const { createAdaptorServer }: typeof NodeServer = await load(
    'node_modules/@hono/node-server/dist/index.mjs',
  );
  const listening = createAdaptorServer({
    fetch: (request, { incoming }) => fetch(request, incoming.socket.remoteAddress),
    // Never closed: a program that fills a study by SQL would not see it for minutes.
    serverOptions: { keepAliveTimeout: 0 },
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
}
