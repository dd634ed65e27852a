import { measureGrowth } from './measure.ts';

/*
 * What operations cost as a study grows: `node bench/growth/main.ts [sizes, such as 10,1000,100000]`. Each size is a
 * local D1 with as many members, responses and pending notifications. A cell is round trips / rows read / rows written.
 */
const [given = '10,1000,100000'] = process.argv.slice(2);
const sizes = given.split(',').map(Number);
if (!sizes.every((size) => Number.isInteger(size) && size > 0))
  throw new Error('expected sizes with commas between them');

const results = await measureGrowth({ sizes });
console.table(
  Object.fromEntries(
    results.map(({ operation, costs, constant, promised, kept }) => [
      operation,
      {
        ...Object.fromEntries(
          costs.map(({ size, roundTrips, rowsRead, rowsWritten }) => [
            `of ${size}`,
            `${roundTrips} / ${rowsRead} / ${rowsWritten}`,
          ]),
        ),
        constant: constant ? 'yes' : 'NO',
        promise: promised ? (kept ? 'kept' : 'BROKEN') : '-',
      },
    ]),
  ),
);
