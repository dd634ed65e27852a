import { signToken } from '../../dev/sign-token.ts';
import { readConfig } from '../../src/config.ts';
import type { Runtime } from '../../test/conformance/support/runtimes.ts';
import { type Spread, spreadOf } from '../support/statistics.ts';
import { subjects } from '../support/study-rows.ts';
import { type Load, startLoad } from './load.ts';
import { connectionsOf, type OperationName, operationNames, operations } from './operations.ts';
import { checkSameAnswers } from './same-answers.ts';
import { env, type Pair, startPair } from './servers.ts';

export interface ServingOptions {
  runtimes: readonly Runtime[];
  secondsPerSlice: number;
  /** Pairs of slices: the floor, then Fieldbell. */
  repetitions: number;
  log?: (line: string) => void;
}

interface Figures {
  requestsPerSecond: Spread;
  p99Ms: Spread;
}

export interface ServingResult {
  runtime: Runtime;
  operation: OperationName;
  floor: Figures;
  fieldbell: Figures;
  /** Fieldbell by the floor, of each pair: requests per second (1 is as many), and p99 (1 is as soon). */
  ratio: Figures;
}

/** How much slower than the least that answers the same each operation is, on each runtime. */
export async function measureServing(options: ServingOptions): Promise<ServingResult[]> {
  const headers = await headersOf();
  const load = startLoad();
  try {
    const results: ServingResult[] = [];
    for (const runtime of options.runtimes) {
      const pair = await startPair(runtime);
      try {
        await checkSameAnswers(pair, headers);
        for (const operation of operationNames) {
          results.push(await measureOperation({ runtime, operation, pair, headers, load, ...options }));
          options.log?.(`${runtime}: ${operation}`);
        }
      } finally {
        await pair.dispose();
      }
    }
    return results;
  } finally {
    await load.end();
  }
}

/** Deno 2.8.3 to 2.9.5 closes the connection after a request with a body (denoland/deno#36657). */
const closesAfterBodies = (runtime: Runtime) => runtime === 'deno';

interface Measured extends Pick<ServingOptions, 'secondsPerSlice' | 'repetitions'> {
  runtime: Runtime;
  operation: OperationName;
  pair: Pair;
  headers: Record<string, string>;
  load: ReturnType<typeof startLoad>;
}

async function measureOperation({
  runtime,
  operation,
  pair,
  load,
  ...rest
}: Measured): Promise<ServingResult> {
  const { headers, secondsPerSlice, repetitions } = rest;
  const requests = Array.from({ length: connectionsOf(operation) }, (_, n) => operations[operation](n));
  const closes = closesAfterBodies(runtime) && requests.some((list) => list.some((one) => 'body' in one));
  const client = closes ? 'node' : 'autocannon';
  const slice = (url: string) => load.run({ url, headers, requests, seconds: secondsPerSlice, client });
  for (const url of [pair.floor, pair.fieldbell])
    await load.run({ url, headers, requests, seconds: secondsPerSlice / 2, client: 'node' });

  const floor: Load[] = [];
  const fieldbell: Load[] = [];
  for (let n = 0; n < repetitions; n++) {
    floor.push(await slice(pair.floor));
    fieldbell.push(await slice(pair.fieldbell));
  }
  const ratio = fieldbell.map((own, n) => ({
    requestsPerSecond: own.requestsPerSecond / (floor[n]?.requestsPerSecond ?? Number.NaN),
    p99Ms: own.p99Ms / (floor[n]?.p99Ms ?? Number.NaN),
  }));
  return { runtime, operation, floor: figures(floor), fieldbell: figures(fieldbell), ratio: figures(ratio) };
}

const figures = (slices: Load[]): Figures => ({
  requestsPerSecond: spreadOf(slices.map((one) => one.requestsPerSecond)),
  p99Ms: spreadOf(slices.map((one) => one.p99Ms)),
});

/** The floor gets them too, and does not look. */
async function headersOf(): Promise<Record<string, string>> {
  const { auth } = readConfig(env);
  const token = await signToken(auth, { subject: subjects.owner, expiresIn: 24 * 3600 });
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
