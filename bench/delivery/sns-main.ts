import { SNS_DEFAULTS } from '../../dev/sns/defaults.ts';
import { startSns } from '../../dev/sns/server.ts';

/*
 * The local SNS of one run, a process of its own. Argument: the file with its endpoints. Some systems run with a moved
 * clock, so the date of a signature does not matter here.
 */
const [stateFile = ''] = process.argv.slice(2);
const sns = await startSns({
  ...SNS_DEFAULTS,
  port: 0,
  stateFile,
  maxSkewMs: Number.POSITIVE_INFINITY,
});
console.log(JSON.stringify({ event: 'start', url: sns.url }));
