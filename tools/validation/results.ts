import type { NamedTest } from './requirements.ts';

/** A report of vitest's JSON reporter, as far as it is read. */
export interface Report {
  testResults: {
    /** An absolute path, of any copy of the project. */
    name: string;
    assertionResults: { title: string; status: string }[];
  }[];
}

export interface TestResult extends NamedTest {
  result: 'passed' | 'failed' | 'not run';
  /** Cases that passed and that failed. */
  passed: number;
  failed: number;
}

/** The file to run for a test. */
export const fileOf = ({ file, runBy = file }: NamedTest): string => runBy;

/** Titles that a name stands for: it may be a part of one, and `%s` is any text. */
const patternOf = (name: string) =>
  new RegExp(
    name
      .split('%s')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** The result of each test by the reports. A test that no report has, or that was skipped, was not run. */
export const resultsOf = (tests: readonly NamedTest[], reports: readonly Report[]): TestResult[] =>
  tests.map((test) => {
    const pattern = patternOf(test.name);
    const statuses = reports
      .flatMap(({ testResults }) => testResults)
      .filter(({ name }) => `/${name}`.endsWith(`/${fileOf(test)}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ title }) => pattern.test(title))
      .map(({ status }) => status);
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
    const [passed, failed] = [count('passed'), count('failed')];
    return { ...test, result: failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not run', passed, failed };
  });
