import { parentPort } from 'node:worker_threads';
import autocannon from 'autocannon';
import { percentile } from '../support/statistics.ts';
import type { Load, Slice } from './load.ts';
import { sendPolitely } from './polite-load.ts';

parentPort?.on('message', async (slice: Slice) => {
  const answer = await sendEnough(slice).catch((error) => ({ error: String(error) }));
  parentPort?.postMessage(answer);
});

const mostSeconds = 60;

/** Of answers that take long, too few may fit in. */
async function sendEnough(slice: Slice): Promise<Load> {
  const { times, ms } = await (slice.client === 'node' ? sendPolitely(slice) : send(slice));
  if (times.length >= slice.requests.length)
    return { requestsPerSecond: (times.length * 1000) / ms, p99Ms: percentile(times, 0.99) };
  if (slice.seconds > mostSeconds) throw new Error(`${slice.url} answers too slowly to be measured`);
  return sendEnough({ ...slice, seconds: slice.seconds * 2 });
}

/** Times are taken here: autocannon's own are in whole milliseconds. @throws when an answer is not a success */
async function send({ url, headers, requests, seconds }: Slice) {
  let connection = 0;
  const times: number[] = [];
  let last = 0;
  const began = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const cannon = autocannon(
      {
        url,
        connections: requests.length,
        duration: seconds,
        timeout: 60,
        setupClient: (client) =>
          client.setRequests((requests[connection++] ?? []).map((one) => ({ ...one, headers }))),
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    cannon.on('response', (_client, _status, _bytes, ms) => {
      times.push(ms);
      last = performance.now();
    });
  });
  const { errors, timeouts, statusCodeStats = {} } = result;
  const statuses = Object.keys(statusCodeStats);
  if (errors + timeouts > 0 || statuses.some((status) => !status.startsWith('2')))
    throw new Error(`${url}: ${JSON.stringify({ errors, timeouts, ...statusCodeStats })}`);
  // Up to the last answer, not to the end: of long answers few fit in, and what is cut off would count for nothing.
  return { times, ms: last - began };
}
