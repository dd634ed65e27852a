import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChecker, type Exchange } from './checker.ts';
import { readDocument } from './document.ts';

/**
 * Checks answers against the document, for tests in workerd, which may not compile JSON Schemas. POST a list of
 * exchanges: the answer lists, for each, what is wrong with it.
 */
export async function startContract(): Promise<{ url: string; close: () => Promise<void> }> {
  const { document } = await readDocument();
  const check = createChecker(document);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const exchanges: Exchange[] = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(exchanges.map(check)));
  });
  // Closed by default after 5 s without a request, which may be just when workerd sends the next.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
