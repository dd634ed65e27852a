import { createApp } from './app.ts';
import { runProcess } from './platform/server/process.ts';

/** The part of Deno's own interface that is used here: its types are not installed. */
declare const Deno: {
  serve(
    options: { hostname: string; port: number; signal: AbortSignal; onListen: () => void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Response | Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void> };
};

await runProcess({
  runtime: 'deno',
  createApp,
  async listen(fetch, { hostname, port }) {
    const aborted = new AbortController();
    const server = Deno.serve(
      { hostname, port, signal: aborted.signal, onListen: () => {} },
      (request, { remoteAddr }) => fetch(request, { address: remoteAddr.hostname }),
    );
    return {
      port: server.addr.port,
      async close(timeoutMs) {
        const timer = setTimeout(() => aborted.abort(), timeoutMs);
        await server.shutdown();
        clearTimeout(timer);
      },
    };
  },
});
