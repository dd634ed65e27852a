import { signToken } from '../../tools/tokens/sign.ts';
import { auth, type Runtime } from '../support/fieldbell.ts';
import { type Spread, spreadOf } from '../support/statistics.ts';
import { subjects } from '../support/study-rows.ts';
import { checkSameAnswers } from './check-answers.ts';
import { type Load, startLoad } from './load.ts';
import { type OperationName, operationNames, requestsOf } from './operations.ts';
import { type Pair, withPair } from './servers.ts';

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
  /** Fieldbell divided by the floor, of each pair. */
  ratio: Figures;
}

/** Compares each operation with the minimum that gives the same answer, on each runtime. */
export async function measureServing(options: ServingOptions): Promise<ServingResult[]> {
  const headers = await ownerHeaders();
  const load = startLoad();
  try {
    const results: ServingResult[] = [];
    for (const runtime of options.runtimes)
      await withPair(runtime, async (pair) => {
        await checkSameAnswers(pair, headers);
        for (const operation of operationNames) {
          results.push(await measureOperation({ runtime, operation, pair, headers, load, ...options }));
          options.log?.(`${runtime}: ${operation}`);
        }
      });
    return results;
  } finally {
    await load.end();
  }
}

/** The owner's. The floor ignores them. */
export async function ownerHeaders(): Promise<Record<string, string>> {
  const token = await signToken(auth, { subject: subjects.owner, expiresIn: 24 * 3600 });
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

/** Deno 2.8.3 to 2.9.5 closes the connection after a request with a body (denoland/deno#36657). */
const closesAfterBodies = (runtime: Runtime) => runtime === 'deno';

interface Measured extends ServingOptions {
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
  const { headers, secondsPerSlice: seconds, repetitions } = rest;
  const requests = requestsOf(operation);
  const closes = closesAfterBodies(runtime) && requests.some((list) => list.some((one) => 'body' in one));
  const slice = (url: string) =>
    load.run({ url, headers, requests, seconds, client: closes ? 'node' : 'autocannon' });
  for (const url of [pair.floor.url, pair.fieldbell.url])
    await load.run({ url, headers, requests, seconds: seconds / 2, client: 'node' });

  const floor: Load[] = [];
  const fieldbell: Load[] = [];
  for (let n = 0; n < repetitions; n++) {
    floor.push(await slice(pair.floor.url));
    fieldbell.push(await slice(pair.fieldbell.url));
  }
  const ratio = fieldbell.map((own, n) => ({
    requestsPerSecond: own.requestsPerSecond / (floor[n]?.requestsPerSecond ?? Number.NaN),
    p99Ms: own.p99Ms / (floor[n]?.p99Ms ?? Number.NaN),
  }));
  return { runtime, operation, floor: figures(floor), fieldbell: figures(fieldbell), ratio: figures(ratio) };
}

const figures = (slices: Omit<Load, 'requests'>[]): Figures => ({
  requestsPerSecond: spreadOf(slices.map((one) => one.requestsPerSecond)),
  p99Ms: spreadOf(slices.map((one) => one.p99Ms)),
});
