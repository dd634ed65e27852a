import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** `broken`: no test failed, but the run did, so that it proves nothing. */
export type Verdict =
  | { state: 'passed' }
  | { state: 'failed'; test: string }
  | { state: 'broken'; output: string };

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** Runs test files in a copy of the tree until the first failure. */
export async function runTests(folder: string, files: readonly string[]): Promise<Verdict> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--reporter=json'];
  const child = spawn(process.execPath, [...args, `--outputFile=${report}`, ...files], {
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
    .find(({ status }) => status === 'failed');
  return failed ? { state: 'failed', test: failed.fullName } : { state: 'broken', output };
}
