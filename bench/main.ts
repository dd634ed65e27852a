import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { failuresOf, table } from './claims.ts';
import { readMachine } from './machine.ts';

/*
 * `npm run bench [-- parts...] [--short] [--repetitions 3] [--sizes 1000,10000] [--systems node,deno,...]
 * [--json file]`. README.md describes the parts. A short run shows that everything still works; its
 * figures mean nothing.
 */
const parts = ['planning', 'growth', 'serving', 'delivery'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    repetitions: { type: 'string' },
    sizes: { type: 'string' },
    systems: { type: 'string' },
    json: { type: 'string' },
  },
});
const chosen = positionals.length > 0 ? positionals : parts;
const unknown = chosen.find((name) => !parts.includes(name));
if (unknown !== undefined) throw new Error(`Unknown part '${unknown}': expected ${parts.join(', ')}`);
// An exit ends the processes and removes the folders.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const { short } = values;
const repetitionsOf = (usual: number) => count(values.repetitions ?? (short ? '1' : String(usual)));
const repetitions = repetitionsOf(3);
const sizes = values.sizes?.split(',').map(count);
const log = (line: string) => console.error(line);

if (!existsSync(new URL('node_modules', import.meta.url))) {
  if (short) log('The packages of bench/ are not installed: peers are left out, and load comes from Node.');
  else if (spawnSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' }).status !== 0)
    throw new Error('The packages of bench/ cannot be installed');
}

const measured = {
  planning: await part('planning', async () => {
    const { measurePlanning } = await import('./planning/measure.ts');
    return measurePlanning({ users: short ? 2_000 : 100_000, repetitions });
  }),
  growth: await part('growth', async () => {
    const { measureGrowth } = await import('./growth/measure.ts');
    return measureGrowth({ sizes: short ? [10, 100] : [10, 100, 1_000, 100_000] });
  }),
  serving: await part('serving', async () => {
    const { measureServing } = await import('./serving/measure.ts');
    return measureServing({
      runtimes: short ? ['node', 'workerd'] : ['node', 'deno', 'workerd'],
      secondsPerSlice: short ? 1 : 3,
      repetitions,
      log,
    });
  }),
  delivery: await part('delivery', async () => {
    const { measureDelivery } = await import('./delivery/measure.ts');
    const { loadSystems } = await import('./delivery/systems.ts');
    const { deliveryTable } = await import('./delivery/table.ts');
    const inShort = ['node', 'deno', 'floor', 'bullmq'];
    const systems = await loadSystems(values.systems?.split(',') ?? (short ? inShort : undefined));
    const results = await measureDelivery({
      sizes: sizes ?? (short ? [200] : [1_000, 10_000]),
      repetitions: repetitionsOf(5),
      systems,
      log,
    });
    log(`\n${deliveryTable(results)}\n`);
    return results;
  }),
};
const results = { ...(await readMachine()), short, ...measured };
console.log(table(results));
const isFull = !short && parts.every((name) => chosen.includes(name));
const json = values.json ?? (isFull ? 'bench/results.json' : undefined);
if (json !== undefined) await writeFile(json, toJson(results));
const failures = failuresOf(results);
for (const failure of failures) log(failure);
process.exit(failures.length > 0 ? 1 : 0);

async function part<T>(name: string, measure: () => Promise<T>): Promise<T | null> {
  if (!chosen.includes(name)) return null;
  log(`${name} ...`);
  return measure();
}

/** With innermost objects and lists on a line each. */
function toJson(results: object): string {
  const text = JSON.stringify(results, null, 1);
  return `${text.replace(/[{[]\n[^{}[\]]*[}\]]/g, (leaf) => leaf.replace(/\n\s*/g, ' '))}\n`;
}

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`expected a number from 1 to 9999999, not '${text}'`);
}
