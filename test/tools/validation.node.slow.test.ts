import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreDrill } from '../../tools/validation/facts.ts';
import { readRequirements } from '../../tools/validation/requirements.ts';
import { filesOf, type Report } from '../../tools/validation/results.ts';

const project = join(import.meta.dirname, '../..');
const { rules, tests } = readRequirements();

/** A report in which every test that a clause names has this status. */
const reportOf = (status: (number: number) => string): Report => ({
  testResults: tests.map((named) => ({
    name: `/elsewhere/clone/${filesOf(project, named)[0]}`,
    assertionResults: [{ title: named.name.replaceAll('%s', 'one case'), status: status(named.number) }],
  })),
});

function writePack(report: Report) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-validation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'results.json');
  writeFileSync(path, JSON.stringify(report));
  const out = join(folder, 'pack');
  const args = ['tools/validation/main.ts', '--out', out, '--report', path];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  return { status, stdout, out, read: (name: string) => readFileSync(join(out, name), 'utf8') };
}

test('the pack has every clause, the tests with their results, the packages, hashes and the drill', () => {
  const { status, out, read } = writePack(reportOf(() => 'passed'));
  expect(status).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    'hashes.txt',
    'licences.csv',
    'report.html',
    'restore-drill.txt',
    'sbom.json',
    'tests.json',
  ]);
  const report = read('report.html');
  for (const { title, rows } of rules) {
    expect(report).toContain(title);
    expect(rows.length, title).toBeGreaterThan(10);
  }
  expect(report).toContain(`<td>Tests</td><td>${tests.length} passed</td>`);
  expect(report).toContain('OWASP ASVS 5.0');
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { fieldbell, commit, tests: results } = JSON.parse(read('tests.json'));
  expect(fieldbell).toBe(version);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(results).toHaveLength(tests.length);
  const { bomFormat, components } = JSON.parse(read('sbom.json'));
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['hono', 'preact', 'vitest']));
  const licences = read('licences.csv');
  expect(licences).toMatch(/"hono","[\d.]+","MIT","service"/);
  expect(licences).toMatch(/"preact","[\d.]+","MIT","pages"/);
  expect(licences).toMatch(/"vitest","[\d.]+","MIT","development"/);
  expect(licences).not.toContain('"unknown"');
  expect(read('hashes.txt')).toMatch(/^[0-9a-f]{64} {2}package-lock\.json$/m);
  expect(read('restore-drill.txt')).toMatch(/^(?:done|not done)$/m);
});

test('a test that failed, or that no report has, is shown with its clauses, and is the exit code', () => {
  const { status, stdout, read } = writePack(
    reportOf((number) => (number === 12 ? 'failed' : number === 31 ? 'skipped' : 'passed')),
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/^failed: 12, test\/permissions\/visibility\.test\.ts/m);
  expect(stdout).toMatch(/^not run: 31, test\/people\/users\.test\.ts/m);
  const report = read('report.html');
  const rowOf = (clause: string) =>
    report.split('\n').find((line) => line.startsWith(`<tr><td>${clause}</td>`));
  expect(rowOf('11.10(d)')).toContain('<td>failed</td>');
  expect(rowOf('11.100')).toContain('<td>not run</td>');
  expect(rowOf('11.50')).toContain('<td>shown</td>');
  expect(rowOf('11.10(h)')).toContain('<td>not covered</td>');
});

test('a report that is none is refused', () => {
  const args = ['tools/validation/main.ts', '--report', 'nowhere.json'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('There is no report nowhere.json.');
});

test.each([
  [
    'is done',
    { 'restore-drill': `echo '{"restored":true}'` },
    { state: 'done', output: '{"restored":true} --json' },
  ],
  [
    'failed',
    { 'restore-drill': 'echo "a row is missing" && exit 1' },
    { state: 'failed', output: 'a row is missing' },
  ],
  [
    'found no database',
    { 'restore-drill': 'echo "There is no database." && exit 2' },
    { state: 'not done', output: 'There is no database.' },
  ],
])('a restore drill that %s is in the pack as it is', (_, scripts, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-drill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
  expect(restoreDrill(folder)).toEqual(expected);
});
