import { Agent, request } from 'node:http';
import type { Slice } from './load.ts';
import type { Request } from './operations.ts';

/**
 * Sends the load with Node's own client. It honours `Connection: close`, after which autocannon loses a request, and
 * stops on time, where autocannon stops at whole seconds. Times are until the end of each answer.
 */
export async function sendWithHttp({ url, headers, requests, seconds }: Slice) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const began = performance.now();
  let last = began;
  const connection = async (list: Request[]) => {
    for (let n = 0; performance.now() - began < seconds * 1000; n++) {
      const sent = performance.now();
      await exchange(url, list[n % list.length] as Request, { agent, headers });
      last = performance.now();
      times.push(last - sent);
    }
  };
  try {
    await Promise.all(requests.map(connection));
  } finally {
    agent.destroy();
  }
  return { times, ms: last - began };
}

/** As autocannon's: the local runtime was seen to spin for ever. */
const timeoutMs = 60_000;

function exchange(
  url: string,
  { method, path, body = '' }: Request,
  { agent, headers }: { agent: Agent; headers: Record<string, string> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const options = { agent, method, timeout: timeoutMs, headers: { ...headers, 'content-length': length } };
    const sent = request(`${url}${path}`, options, (answer) => {
      const { statusCode = 0 } = answer;
      if (statusCode < 200 || statusCode > 299) reject(new Error(`${method} ${path}: ${statusCode}`));
      answer.resume().on('end', resolve).on('error', reject);
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`${method} ${path}: no answer in ${timeoutMs / 1000} s`)),
    );
    sent.on('error', reject).end(body);
  });
}
