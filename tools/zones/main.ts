import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { openZones } from '../../src/schedule/zone-text.ts';
import { build } from './build.ts';
import { differences } from './differences.ts';

/*
 * Builds src/schedule/tzdata.ts from the installed package, and prints which zones differ from the last commit. For a new
 * release: npm install -D -E moment-timezone@latest && npm run zones
 */
const path = 'src/schedule/tzdata.ts';

interface TzModule {
  release: string;
  gaps: string;
  zones: string;
}
/** The module has no types in it, so that it is JavaScript, too. */
const load = (text: string): Promise<TzModule> => import(`data:text/javascript,${encodeURIComponent(text)}`);

const { text, unruled } = build();
const built = await load(text);
const committed = await load(execFileSync('git', ['show', `HEAD:${path}`], { encoding: 'utf8' }));
const changed = differences(openZones(committed), openZones(built));
writeFileSync(path, text);

console.log(`${path}: ${built.release}, ${text.length} bytes; the last commit has ${committed.release}.`);
console.log(changed.length === 0 ? 'No zone has changed.' : changed.join('\n'));
for (const name of unruled) {
  console.log(`${name} follows no yearly rule: its clocks stand still after the package's last change.`);
}
