import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { failuresOf, table } from './claims.ts';
import { measureDelivery } from './delivery/measure.ts';
import { deliveryTable } from './delivery/table.ts';
import { measureGrowth } from './growth/measure.ts';
import { readMachine } from './machine.ts';
import { measurePlanning } from './planning/measure.ts';
import { measureServing } from './serving/measure.ts';

/*
 * All benchmarks: `npm run bench [-- --short] [--only delivery,serving,planning,growth] [--repetitions 3]
 * [--systems node,deno,...] [--json file]`. What is measured and how stands in README.md beside this file. The short form
 * shows that everything still runs; its figures mean nothing.
 */
const parts = ['delivery', 'serving', 'planning', 'growth'] as const;
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: parts.join(',') },
    json: { type: 'string', default: 'bench/results.json' },
    repetitions: { type: 'string', default: '3' },
    systems: { type: 'string' },
  },
});
const chosen = values.only.split(',');
const unknown = chosen.find((part) => !parts.some((known) => known === part));
if (unknown !== undefined) throw new Error(`Unknown part '${unknown}': expected ${parts.join(', ')}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const log = (line: string) => console.error(line);
const { short } = values;
const part = async <T>(name: (typeof parts)[number], measure: () => T | Promise<T>) => {
  if (!chosen.includes(name)) return null;
  log(`${name} ...`);
  return measure();
};

const planning = await part('planning', () =>
  measurePlanning(short ? { users: 2_000, repetitions: 1 } : { users: 100_000, repetitions: 3 }),
);
const growth = await part('growth', () => measureGrowth({ sizes: short ? [10, 100] : [10, 1_000, 100_000] }));
const serving = await part('serving', () =>
  measureServing(
    short
      ? { runtimes: ['node', 'workerd'], secondsPerSlice: 1, repetitions: 1, log }
      : {
          runtimes: ['node', 'deno', 'workerd'],
          secondsPerSlice: 3,
          repetitions: Number(values.repetitions),
          log,
        },
  ),
);
const delivery = await part('delivery', () =>
  measureDelivery(
    short
      ? { sizes: [200], repetitions: 1, systems: ['node', 'deno', 'bullmq', 'pg-boss'], log }
      : {
          sizes: [1_000, 10_000, 50_000],
          repetitions: Number(values.repetitions),
          ...(values.systems && { systems: values.systems.split(',') }),
          log,
        },
  ),
);

const results = { ...(await readMachine()), short, delivery, serving, planning, growth };
if (delivery) log(`\n${deliveryTable(delivery)}\n`);
console.log(table(results));
await writeFile(values.json, `${JSON.stringify(results, null, 1)}\n`);
const failures = failuresOf(results);
for (const failure of failures) log(failure);
process.exit(failures.length > 0 ? 1 : 0);
