import { readFile } from 'node:fs/promises';
import { snsDefaults } from '../../dev/sns/defaults.ts';
import { startSns } from '../../dev/sns/server.ts';

/*
 * The local SNS of one run. Argument: the file with its initial state, which it does not update. Some systems run with a
 * moved clock, so it accepts a signature of any date.
 */
const [file = ''] = process.argv.slice(2);
const sns = await startSns({
  ...snsDefaults,
  port: 0,
  state: JSON.parse(await readFile(file, 'utf8')),
  maxSkewMs: Number.POSITIVE_INFINITY,
});
console.log(JSON.stringify({ event: 'start', url: sns.url }));
