import { execFileSync } from 'node:child_process';

/** Once before all tests of the console. */
export default function setup() {
  execFileSync(process.execPath, ['dev/build-console.mjs']);
}
