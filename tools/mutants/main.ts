import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../settings.ts';
import { groups } from './groups.ts';
import { type Mutant, plant } from './mutant.ts';
import { findFailure, startTests, type TestRunner } from './run-tests.ts';

const usage = `Usage: npm run mutants [-- <group or part of a fault> ...]

Plants deliberate faults in a copy of the tree, one at a time, and reports which test notices each. Groups: ${Object.keys(groups).join(', ')}.
Exits with 1 if one is not noticed.`;

/** The present sources, uncommitted changes included, over the packages of this tree. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-mutants-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: projectFolder, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  for (const file of files)
    cpSync(join(projectFolder, file), join(folder, file), { recursive: true, force: true });
  const packages = 'node_modules';
  mkdirSync(join(folder, packages));
  // Each tree has a cache of bundled packages of its own.
  for (const name of readdirSync(join(projectFolder, packages)).filter((entry) => entry !== '.vite'))
    symlinkSync(join(projectFolder, packages, name), join(folder, packages, name));
  return folder;
}

interface Trial {
  group: string;
  mutant: Mutant;
}

/** Resolves to whether a test noticed. */
async function tryOut(folder: string, tests: TestRunner, { group, mutant }: Trial): Promise<boolean> {
  const path = join(folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  const write = (text: string) => {
    writeFileSync(path, text);
    tests.invalidate(path);
  };
  const withoutFault = async <T>(work: () => Promise<T>): Promise<T> => {
    write(source);
    const result = await work();
    write(plant(mutant, source));
    return result;
  };
  write(plant(mutant, source));
  const verdict = await findFailure(tests, mutant.tests, withoutFault);
  write(source);
  const what = `${group}: ${mutant.fault}`;
  switch (verdict.state) {
    case 'failed':
      console.log(`caught    ${what}\n          by ${verdict.tests[0]}`);
      return true;
    case 'passed':
      console.log(`SURVIVED  ${what} (${mutant.file}; ${mutant.tests.join(', ')})`);
      return false;
    case 'broken':
      console.log(`BROKEN    ${what}: the tests could not run\n${verdict.output}`);
      return false;
  }
}

async function main(words: string[]): Promise<number> {
  if (words.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const isWanted = (group: string, { fault }: Mutant) =>
    words.length === 0 || words.some((word) => group === word || fault.includes(word));
  const chosen = Object.entries(groups).flatMap(([group, mutants]) =>
    mutants.filter((mutant) => isWanted(group, mutant)).map((mutant) => ({ group, mutant })),
  );
  if (chosen.length === 0) {
    console.error(usage);
    return 2;
  }
  const folder = copyTree();
  const tests = await startTests(folder);
  try {
    let caught = 0;
    for (const one of chosen) if (await tryOut(folder, tests, one)) caught++;
    console.log(`${caught} of ${chosen.length} were noticed.`);
    return caught === chosen.length ? 0 : 1;
  } finally {
    await tests.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
