import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ResolveName } from '../../src/platform/server/resolve-name.ts';
import { createWebhookCalls } from '../../src/platform/server/webhook-calls.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A receiver on this machine, and the texts that came to it. */
async function listen(answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer as never);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const request = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{}' });

/** A resolver that gives these addresses, one list for each question, and the names that it was asked for. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve: ResolveName = async (host) => {
    asked.push(host);
    return answers[asked.length - 1] ?? answers.at(-1) ?? [];
  };
  return { asked, resolve };
}

const noAnswer = { status: null, error: 'No answer.' };

test.each([
  [['127.0.0.1']],
  [['169.254.169.254']],
  [['10.0.0.7']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['fd12::1']],
  [['fe80::1%eth0']],
  [['2002:7f00:1::']],
  [['93.184.215.14', '192.168.0.1']],
])(
  'a name that leads to %s is not called, and its error is that of all who do not answer',
  async (addresses) => {
    let called = 0;
    const port = await listen((_, answer) => answer.end());
    servers.at(-1)?.on('connection', () => {
      called += 1;
    });
    const { asked, resolve } = resolver(addresses);
    const call = createWebhookCalls({ local: false, resolve });
    expect(await call(request(`https://hooks.example.org:${port}/`))).toEqual(noAnswer);
    expect([asked, called]).toEqual([['hooks.example.org'], 0]);
  },
);

test('a name is looked up once for a connection, so that a change after the check gains nothing', async () => {
  // Of the public networks, but nobody's.
  const { asked, resolve } = resolver(['2000::1'], ['127.0.0.1']);
  const call = createWebhookCalls({ local: false, resolve, timeoutMs: 500 });
  expect(await call(request('https://hooks.example.org:9/'))).toEqual(noAnswer);
  expect(asked).toEqual(['hooks.example.org']);
});

test('a port where nobody listens, a name without an address, one inside: the same words', async () => {
  const closed = createServer();
  const port = await new Promise<number>((resolve) =>
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as AddressInfo).port)),
  );
  await new Promise((resolve) => closed.close(resolve));
  const call = createWebhookCalls({ local: true, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  expect(await call(request(`http://127.0.0.1:${port}/`))).toEqual(noAnswer);
  expect(await call(request('https://hooks.example.org/'))).toEqual(noAnswer);
  expect(await call(request('HTTPS://hooks.example.org/'))).toEqual(noAnswer);
});

test('in local mode the loopback address is called; redirects are answers, and long ones are cut', async () => {
  const port = await listen((incoming, answer) => {
    incoming.resume();
    if (incoming.url === '/moved') {
      answer.writeHead(302, { location: '/' });
      answer.end();
      return;
    }
    answer.writeHead(200);
    const more = () => {
      if (!answer.destroyed) answer.write('x'.repeat(16_384), () => setImmediate(more));
    };
    more();
  });
  const call = createWebhookCalls({ local: true });
  expect(await call(request(`http://127.0.0.1:${port}/moved`))).toEqual({ status: 302, location: '/' });
  expect(await call(request(`http://127.0.0.1:${port}/`))).toEqual({ status: 200 });
  await new Promise<void>((resolve) => {
    const wait = () => {
      servers[0]?.getConnections((_, open) => (open === 0 ? resolve() : setImmediate(wait)));
    };
    wait();
  });
  expect(await createWebhookCalls({ local: false })(request(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: null,
  });
});
