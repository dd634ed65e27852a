import type { Profiler } from 'node:inspector';

/** What a request's time is spent on, by the innermost function of ours or of a package: the first that matches. */
const layers: [layer: string, url: RegExp][] = [
  ['SQLite', /\/sqlite-client\.ts/],
  ['statements and rows', /\/src\/db\/|\/drizzle-orm\/|\/server\/sqlite\.ts/],
  ['identity', /\/src\/http\/auth\/|\/model\/identity|\/jose\//],
  ['limits', /\/rate-limits\.ts|\/token-buckets\.ts/],
  ['log and counters', /\/request-context\.ts|\/server\/log\.ts|\/metering\.ts|\/server\/services\.ts/],
  ['rules of HTTP', /\/src\/http\/|\/hono\/dist\/middleware\//],
  ['validation', /\/zod\/|\/hono-openapi\//],
  ['model', /\/src\/model\//],
  ['answer', /\/src\/routes\/|\/floor\/|\/src\/identifiers\.ts/],
  ['hono', /\/hono\//],
  ['server', /\/@hono\/node-server\/|\/src\//],
];
const collector = '(garbage collector)';
const rest = 'server';
export const layerNames = [...new Set([...layers.map(([name]) => name), 'garbage collection'])];

/** The part of each layer in the time that was not idle. */
export function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layerOf = (id: number | undefined): string | undefined => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { url = '', functionName } = byId.get(at)?.callFrame ?? {};
      // The profiler itself is not part of a request.
      if (functionName === '(idle)' || url === 'node:inspector') return undefined;
      if (functionName === collector) return 'garbage collection';
      const found = layers.find(([, pattern]) => pattern.test(url));
      if (found) return found[0];
    }
    return rest;
  };
  const layer = new Map(nodes.map(({ id }) => [id, layerOf(id)]));
  const times = new Map<string, number>();
  let all = 0;
  samples.forEach((id, n) => {
    const name = layer.get(id);
    const delta = timeDeltas[n] ?? 0;
    if (name === undefined) return;
    times.set(name, (times.get(name) ?? 0) + delta);
    all += delta;
  });
  return new Map([...times].map(([name, time]) => [name, time / all]));
}
