import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { createApp } from './app.ts';
import { type Fetch, type Listener, runProcess } from './platform/server/process.ts';
import { viaUndici } from './platform/server/undici-transport.ts';

/** Longer than proxies keep an idle connection (nginx 60 s, Traefik 90, Caddy 120): who closes it is who writes next. */
const keepAliveTimeout = 130_000;

await runProcess({
  runtime: 'node',
  createApp,
  transport: viaUndici(),
  async listen(fetch, { hostname, port }) {
    const answer = draining(fetch);
    const server = createAdaptorServer({
      fetch: (request, { incoming }) => answer(request, { address: incoming.socket.remoteAddress }),
      hostname,
      serverOptions: { keepAliveTimeout },
    });
    server.listen(port, hostname);
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, close: (patienceMs) => close(server, patienceMs) };
  },
});

/**
 * Reads what is left of a body that was refused unread: half a second after the answer the adaptor would cut the
 * connection, maybe in the middle of the client's next request.
 */
function draining(fetch: Fetch): Fetch {
  return async (request, connection) => {
    const response = await fetch(request, connection);
    // To ask for the body is dear: the adaptor makes a whole request of it.
    const mayBeLeft = request.method !== 'GET' && request.method !== 'HEAD' && !request.bodyUsed;
    if (mayBeLeft && request.body && !request.body.locked)
      request.body.pipeTo(new WritableStream()).catch(() => {});
    return response;
  };
}

async function close(server: ServerType, patienceMs: number): ReturnType<Listener['close']> {
  const impatient = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, patienceMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(impatient);
}
