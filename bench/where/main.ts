import { readFile } from 'node:fs/promises';
import { startLoad } from '../serving/load.ts';
import { ownerHeaders } from '../serving/measure.ts';
import { operationNames, requestsOf } from '../serving/operations.ts';
import { withPair } from '../serving/servers.ts';
import type { Service } from '../support/fieldbell.ts';
import { alignedTable } from '../support/table.ts';
import { layerNames, partsOf } from './layers.ts';

/*
 * Where the CPU time of a request's thread goes on Node, for Fieldbell and the floor: `node bench/where/main.ts [operation] [seconds]`.
 * Both run under V8's profiler, which slows both down.
 */
const [operation = 'one response', seconds = '5'] = process.argv.slice(2);
const name = operationNames.find((one) => one === operation);
if (!name) throw new Error(`Unknown operation '${operation}': expected ${operationNames.join(', ')}`);

/** Requests until V8 has compiled what is used. */
const warmUp = 3_000;

const headers = await ownerHeaders();
const load = startLoad();
await withPair(
  'node',
  async ({ fieldbell, floor }) => {
    const times = [await profiled(fieldbell), await profiled(floor)];
    const micros = (layer: string) => times.map((one) => one.get(layer) ?? 0);
    const total = layerNames.map(micros).reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d]);
    const row = (layer: string, [own = 0, least = 0]: number[]) => [
      layer,
      own.toFixed(1),
      least.toFixed(1),
      (own - least).toFixed(1),
    ];
    const rows = layerNames.map((layer) => row(layer, micros(layer)));
    console.log(alignedTable([`${name}, µs`, 'Fieldbell', 'floor', 'more'], [...rows, row('total', total)]));
  },
  ['./bench/where/profile.ts'],
);
await load.end();

/** Microseconds of each layer, for one request. */
async function profiled(service: Service): Promise<Map<string, number>> {
  const requests = requestsOf(name ?? 'one response');
  const run = (length: number) =>
    load.run({ url: service.url, headers, requests, seconds: length, client: 'node' });
  for (let warm = 0; warm < warmUp; ) warm += (await run(1)).requests;
  process.kill(service.pid, 'SIGUSR2');
  const { requests: count } = await run(Number(seconds));
  process.kill(service.pid, 'SIGUSR2');
  const [, micros, file = ''] = await service.line(/"event":"profiled","cpuMicros":(\d+),"file":"([^"]+)"/);
  const parts = partsOf(JSON.parse(await readFile(file, 'utf8')));
  return new Map([...parts].map(([layer, part]) => [layer, (part * Number(micros)) / count]));
}
