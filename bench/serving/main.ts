import { type Runtime, runtimes } from '../../test/conformance/support/runtimes.ts';
import { shown } from '../support/statistics.ts';
import { measureServing, type ServingResult } from './measure.ts';

/*
 * Fieldbell against the least that answers the same: `node bench/serving/main.ts [runtimes] [seconds per slice]
 * [repetitions]`, such as `node,deno,workerd 5 5`; `short` is `node,workerd 1 3`. Median (least-most).
 */
const args = process.argv.slice(2);
const short = args[0] === 'short';
const [given = runtimes.join(','), seconds = '5', repetitions = '5'] = short
  ? ['node,workerd', '1', '3']
  : args;
const chosen = given.split(',') as Runtime[];
if (!chosen.every((runtime) => runtimes.includes(runtime)))
  throw new Error(`expected some of ${runtimes.join(',')}`);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const perSecond = ({ requestsPerSecond: { median } }: ServingResult['floor']) =>
  median.toFixed(median < 10 ? 1 : 0);

const results = await measureServing({
  runtimes: chosen,
  secondsPerSlice: Number(seconds),
  repetitions: Number(repetitions),
  log: (line) => console.error(line),
});
console.table(
  Object.fromEntries(
    results.map(({ runtime, operation, floor, fieldbell, ratio }) => [
      `${runtime}: ${operation}`,
      {
        'floor/s': perSecond(floor),
        'fieldbell/s': perSecond(fieldbell),
        'part of floor': shown(ratio.requestsPerSecond),
        'floor p99 ms': floor.p99Ms.median.toFixed(1),
        'fieldbell p99 ms': fieldbell.p99Ms.median.toFixed(1),
        'times floor p99': shown(ratio.p99Ms),
      },
    ]),
  ),
);
