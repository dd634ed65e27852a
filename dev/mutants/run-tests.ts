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

/** Runs test files in a copy of the tree. */
export async function runTests(folder: string, files: readonly string[], bail: boolean): Promise<Verdict> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const options = ['--reporter=json', `--outputFile=${report}`, ...(bail ? ['--bail=1'] : [])];
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
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  return tests.length > 0 ? { state: 'failed', tests } : { state: 'broken', output };
}

/** Runs the files one after the other, until a test fails. */
export async function findFailure(folder: string, files: readonly string[]): Promise<Verdict> {
  for (const file of files) {
    const verdict = await runTests(folder, [file], true);
    if (verdict.state !== 'passed') return verdict;
  }
  return { state: 'passed' };
}
