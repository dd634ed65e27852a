import process from 'node:process';
import { createVitest } from 'vitest/node';

/** `broken`: no test failed, but the run did, so that it proves nothing. */
export type Verdict =
  | { state: 'passed' }
  | { state: 'failed'; tests: string[] }
  | { state: 'broken'; output: string };

interface RunOptions {
  /** Tests that fail without any fault, and are ignored. */
  known?: ReadonlySet<string>;
  /** Stops at the first failure. */
  bail?: boolean;
}

/** Runs test files of a tree again and again in one process, whose start takes longer than most files. */
export interface TestRunner {
  run(files: readonly string[], options?: RunOptions): Promise<Verdict>;
  /** Reloads a source that has changed. */
  invalidate(path: string): void;
  close(): Promise<void>;
}

const none: ReadonlySet<string> = new Set();

/** A fault for which a test would wait for ever is noticed after this long, which no test takes without one. */
const waitMs = 120_000;

/** The tests find their files from the working directory, so it becomes `folder`. */
export async function startTests(folder: string): Promise<TestRunner> {
  process.chdir(folder);
  let isFailure = (_test: string) => false;
  const reporter = {
    onTestCaseResult: (test: { fullName: string; result(): { state: string } }) => {
      if (test.result().state === 'failed' && isFailure(test.fullName))
        vitest.cancelCurrentRun('test-failure');
    },
  };
  const vitest = await createVitest('test', { root: folder, watch: false, reporters: [reporter] });
  await vitest.standalone();
  for (const { config } of vitest.projects) config.testTimeout = waitMs;
  // A run that is cut short breaks its connections, for which the test runner would end the process.
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => {});

  async function run(files: readonly string[], { known = none, bail = false }: RunOptions = {}) {
    isFailure = (test) => bail && !known.has(test);
    // Results of earlier runs do not count for this one.
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    const specifications = await vitest.globTestSpecifications([...files]);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const failed = testModules.flatMap(({ children }) => [...children.allTests('failed')]);
    const tests = failed.map(({ fullName }) => fullName).filter((test) => !known.has(test));
    if (tests.length > 0) return { state: 'failed', tests } as const;
    const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
    if (testModules.length > 0 && errors.length === 0) return { state: 'passed' } as const;
    const output = errors.map((error) => JSON.stringify(error)).join('\n');
    return { state: 'broken', output: output.slice(0, 4_000) } as const;
  }
  return { run, invalidate: (path) => vitest.invalidateFile(path), close: () => vitest.close() };
}

/** For each file that has noticed a fault: the tests that fail without any. */
const failing = new Map<string, ReadonlySet<string>>();

/**
 * Runs the files one after the other, until a test fails that passes without the fault, which `withoutFault` takes out
 * for as long as some work lasts.
 */
export async function findFailure(
  { run }: TestRunner,
  files: readonly string[],
  withoutFault: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Verdict> {
  const runTwice = async (file: string, options: RunOptions) => {
    const verdict = await run([file], options);
    // The local runtime now and then does not start on a busy machine.
    return verdict.state === 'broken' ? run([file], options) : verdict;
  };
  for (const file of files) {
    let verdict = await runTwice(file, { known: failing.get(file) ?? none, bail: true });
    if (verdict.state === 'failed' && !failing.has(file)) {
      const without = await withoutFault(() => runTwice(file, {}));
      if (without.state === 'broken') return without;
      const known = new Set(without.state === 'failed' ? without.tests : []);
      for (const test of known) console.log(`fails without any fault, so it counts for nothing: ${test}`);
      failing.set(file, known);
      if (verdict.tests.every((test) => known.has(test)))
        verdict = await runTwice(file, { known, bail: true });
    }
    if (verdict.state !== 'passed') return verdict;
  }
  return { state: 'passed' };
}
