import { parentPort } from 'node:worker_threads';
import type { Result } from 'autocannon';
import { percentile } from '../support/statistics.ts';
import { sendWithHttp } from './http-load.ts';
import type { Load, Slice } from './load.ts';

// Without the bench's own packages, as in a short run, Node's client takes its place.
const autocannon = await import('autocannon').then(
  (module) => module.default,
  () => null,
);

parentPort?.on('message', async (slice: Slice) => {
  const answer = await sendEnough(slice).catch((error) => ({ error: String(error) }));
  parentPort?.postMessage(answer);
});

const maxSeconds = 60;

/** Repeats a slice that was too short for every connection to get an answer. */
async function sendEnough(slice: Slice): Promise<Load> {
  const send = slice.client === 'node' || !autocannon ? sendWithHttp : sendWithAutocannon;
  const { times, ms } = await send(slice);
  const requests = times.length;
  if (requests >= slice.requests.length)
    return { requests, requestsPerSecond: (requests * 1000) / ms, p99Ms: percentile(times, 0.99) };
  if (slice.seconds > maxSeconds) throw new Error(`${slice.url} answers too slowly to be measured`);
  return sendEnough({ ...slice, seconds: slice.seconds * 2 });
}

/** Takes the times itself: autocannon's are in whole milliseconds. @throws when an answer is not a success */
async function sendWithAutocannon({ url, headers, requests, seconds }: Slice) {
  let connection = 0;
  const times: number[] = [];
  let last = 0;
  const began = performance.now();
  const result = await new Promise<Result>((resolve, reject) => {
    const cannon = autocannon?.(
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
    cannon?.on('response', (_client, _status, _bytes, ms) => {
      times.push(ms);
      last = performance.now();
    });
  });
  const { errors, timeouts, statusCodeStats = {} } = result;
  const statuses = Object.keys(statusCodeStats);
  if (errors + timeouts > 0 || statuses.some((status) => !status.startsWith('2')))
    throw new Error(`${url}: ${JSON.stringify({ errors, timeouts, ...statusCodeStats })}`);
  // Until the last answer, not the end: few long answers fit in, and a part of one would count for nothing.
  return { times, ms: last - began };
}
