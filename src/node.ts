import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { createApp } from './app.ts';
import { isReading } from './http/is-reading.ts';
import { type Fetch, type Listener, runProcess } from './platform/server/process.ts';

/** Longer than proxies keep an idle connection (nginx 60 s, Traefik 90, Caddy 120), so that they never write to a closed one. */
const keepAliveTimeout = 130_000;

await runProcess({
  runtime: 'node',
  createApp,
  async listen(fetch, { hostname, port }) {
    const answer = draining(fetch);
    const server = createAdaptorServer({
      fetch: (request, { incoming }) => answer(request, { address: incoming.socket.remoteAddress }),
      hostname,
      serverOptions: { keepAliveTimeout },
    });
    server.listen(port, hostname);
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, close: (timeoutMs) => close(server, timeoutMs) };
  },
});

/**
 * Reads the rest of a body that was refused unread: otherwise the adaptor cuts the connection half a second after the
 * answer, perhaps in the middle of the client's next request.
 */
function draining(fetch: Fetch): Fetch {
  return async (request, connection) => {
    const response = await fetch(request, connection);
    // Asking for the body is expensive: the adaptor then builds a whole request.
    const mayBeLeft = !isReading(request) && !request.bodyUsed;
    if (mayBeLeft && request.body && !request.body.locked)
      request.body.pipeTo(new WritableStream()).catch(() => {});
    return response;
  };
}

async function close(server: ServerType, timeoutMs: number): ReturnType<Listener['close']> {
  const timer = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, timeoutMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}
