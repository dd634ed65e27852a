import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** `broken`: no test failed, but the run did, so that it proves nothing. */
export type Verdict =
  | { state: 'passed' }
  | { state: 'failed'; tests: string[] }
  | { state: 'broken'; output: string };

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** Runs test files in a copy of the tree. `known` are tests that fail without any fault, and count for nothing. */
export async function runTests(
  folder: string,
  files: readonly string[],
  { known = new Set(), bail = false }: { known?: ReadonlySet<string>; bail?: boolean } = {},
): Promise<Verdict> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const options = [
    '--reporter=json',
    `--outputFile=${report}`,
    ...(bail && known.size === 0 ? ['--bail=1'] : []),
  ];
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...files], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  const [code] = await once(child, 'close');
  if (code === 0) return { state: 'passed' };
  const { testResults }: Report = await readFile(report, 'utf8').then(JSON.parse, () => ({
    testResults: [],
  }));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  if (failed.length === 0) return { state: 'broken', output };
  const tests = failed.filter((test) => !known.has(test));
  return tests.length > 0 ? { state: 'failed', tests } : { state: 'passed' };
}

/** Runs the files one after the other, until a test fails. */
export async function findFailure(
  folder: string,
  files: readonly string[],
  known: ReadonlySet<string>,
): Promise<Verdict> {
  for (const file of files) {
    const options = { known, bail: true };
    let verdict = await runTests(folder, [file], options);
    // The local runtime now and then does not start on a busy machine.
    if (verdict.state === 'broken') verdict = await runTests(folder, [file], options);
    if (verdict.state !== 'passed') return verdict;
  }
  return { state: 'passed' };
}
