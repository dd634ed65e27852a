import { parentPort } from 'node:worker_threads';
import autocannon from 'autocannon';
import { percentile } from '../support/statistics.ts';
import type { Load, Slice } from './load.ts';

parentPort?.on('message', async (slice: Slice) => {
  const answer = await sendEnough(slice).catch((error) => ({ error: String(error) }));
  parentPort?.postMessage(answer);
});

/** Of answers that take long, too few may fit in. */
async function sendEnough(slice: Slice): Promise<Load> {
  const { times, ms } = await send(slice);
  if (times.length < slice.requests.length) return sendEnough({ ...slice, seconds: slice.seconds * 2 });
  return { requestsPerSecond: (times.length * 1000) / ms, p99Ms: percentile(times, 0.99) };
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
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${times.length} answers of ${url} were not successes`);
  // Up to the last answer, not to the end: of long answers few fit in, and what is cut off would count for nothing.
  return { times, ms: last - began };
}
