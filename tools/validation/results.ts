import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { NamedTest } from './requirements.ts';

/** A report of vitest's JSON reporter, as far as it is read. */
export interface Report {
  testResults: {
    /** An absolute path, of any copy of the project. */
    name: string;
    assertionResults: { title: string; status: string }[];
  }[];
}

export type Result = 'passed' | 'failed' | 'not run';

export interface TestResult extends NamedTest {
  result: Result;
  /** Cases that passed and that failed. */
  passed: number;
  failed: number;
}

/** Titles that a name stands for: it may be a part of one, and `%s` is any text. */
const patternOf = (name: string) =>
  new RegExp(
    name
      .split('%s')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** The files to run for a test: its own, or those that import it, if it stands in a file of support. */
export function filesOf(project: string, { file }: Pick<NamedTest, 'file'>): string[] {
  if (file.endsWith('.test.ts')) return [file];
  const target = resolve(project, file);
  return readdirSync(join(project, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((name) =>
      [...readFileSync(join(project, name), 'utf8').matchAll(/from '(\.[^']+)'/g)].some(
        ([, from = '']) => resolve(project, dirname(name), from) === target,
      ),
    );
}

/** The result of each test by the reports. One that no report has, or that was skipped, was not run. */
export function resultsOf(
  project: string,
  tests: readonly NamedTest[],
  reports: readonly Report[],
): TestResult[] {
  return tests.map((test) => {
    const files = filesOf(project, test);
    const pattern = patternOf(test.name);
    const statuses = reports
      .flatMap(({ testResults }) => testResults)
      .filter(({ name }) => files.some((file) => name === file || name.endsWith(`/${file}`)))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ title }) => pattern.test(title))
      .map(({ status }) => status);
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
    const [passed, failed] = [count('passed'), count('failed')];
    return { ...test, result: failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not run', passed, failed };
  });
}

/** Paths as vitest takes them. */
export const allFiles = (project: string, tests: readonly NamedTest[]): string[] =>
  [...new Set(tests.flatMap((test) => filesOf(project, test)))]
    .map((file) => relative(project, resolve(project, file)))
    .sort();
