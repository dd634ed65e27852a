import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureDelivery } from './measure.ts';
import { deliveryTable } from './table.ts';

/*
 * Everybody is due at one instant: how long until all have their push, and it is recorded, and the next is planned?
 *
 *   node bench/delivery/main.ts [--sizes 1000,10000] [--repetitions 3] [--systems node,bullmq] [--json results.json]
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    repetitions: { type: 'string', default: '3' },
    systems: { type: 'string' },
    json: { type: 'string' },
  },
});

const results = await measureDelivery({
  sizes: values.sizes.split(',').map(count),
  repetitions: count(values.repetitions),
  ...(values.systems && { systems: values.systems.split(',') }),
  log: (line) => console.error(line),
});
console.log(deliveryTable(results));
if (values.json) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
process.exit(0);

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`expected a number from 1 to 9999999, not '${text}'`);
}
