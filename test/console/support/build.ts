import { execFileSync } from 'node:child_process';

/** Once before all tests of the console and of the participants' page. */
export default function setup() {
  for (const build of ['build/console.mjs', 'build/participant.mjs']) execFileSync(process.execPath, [build]);
}
