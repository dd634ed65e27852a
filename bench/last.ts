import { readFile } from 'node:fs/promises';
import { failuresOf, table } from './claims.ts';

/* Prints the last whole run, judged by the goals of today: `node bench/last.ts`. Exits with 1 as `npm run bench` does. */
const results = JSON.parse(await readFile(new URL('results.json', import.meta.url), 'utf8'));
const { at, machine, versions } = results;
console.log(
  `${at.slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, Node ${versions.node}, Deno ${versions.deno}\n`,
);
console.log(table(results));
const failures = failuresOf(results);
for (const failure of failures) console.error(failure);
process.exit(failures.length > 0 ? 1 : 0);
