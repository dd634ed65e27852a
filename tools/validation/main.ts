import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hashes, licences, readVersions, restoreDrill, sbom } from './facts.ts';
import { type Pack, renderReport } from './report.ts';
import { readRequirements } from './requirements.ts';
import { fileOf, type Report, resultsOf } from './results.ts';

const usage = `Usage: npm run validation [-- --out <folder>] [--report <file>]...

Writes what a trial's quality unit files about this commit: report.html, tests.json, sbom.json, licences.csv, hashes.txt and
restore-drill.txt. Without --report it runs the tests that the clauses name (half an hour); with it, it reads reports of
vitest's JSON reporter. The exit code is 1 if a test failed or was not run, or the restore drill failed.`;

const project = join(import.meta.dirname, '../..');

function readReport(path: string): Report {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(report.testResults)) throw new Error(`${path} is no report of vitest's JSON reporter.`);
  return report;
}

/** Runs the files of the tests, whatever becomes of them. */
function runTests(files: string[]): Report {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-validation-'));
  try {
    const path = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
    spawnSync('vitest', ['run', ...reporters, ...files], { cwd: project, stdio: 'inherit' });
    return readReport(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A line of CSV (RFC 4180). */
const csvLine = (fields: string[]) => fields.map((text) => `"${text.replaceAll('"', '""')}"`).join();

function write(folder: string, pack: Pack, bill: string): void {
  mkdirSync(folder, { recursive: true });
  const licences = pack.licences.map(({ name, version, licence, use }) =>
    csvLine([name, version, licence, use]),
  );
  const files: Record<string, string> = {
    'report.html': renderReport(pack),
    'tests.json': JSON.stringify({ at: pack.at, ...pack.versions, tests: pack.tests }, null, 2),
    'sbom.json': bill,
    'licences.csv': ['package,version,licence,used by', ...licences].join('\r\n'),
    // As `sha256sum --check` reads them.
    'hashes.txt': pack.builds
      .flatMap(({ files }) => files.map(({ path, sha256 }) => `${sha256}  ${path}`))
      .join('\n'),
    'restore-drill.txt': `${pack.drill.state}\n${pack.drill.output}`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text.trimEnd()}\n`);
}

function main(): number {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join(project, 'dist/validation') },
      report: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const missing = values.report?.find((path) => !existsSync(path));
  if (missing !== undefined) {
    console.error(`There is no report ${missing}.\n\n${usage}`);
    return 2;
  }
  const { rules, tests, security } = readRequirements();
  const reports = values.report?.map(readReport) ?? [runTests([...new Set(tests.map(fileOf))])];
  const bill = sbom(project);
  const pack: Pack = {
    at: new Date().toISOString(),
    versions: readVersions(project),
    rules,
    tests: resultsOf(tests, reports),
    security,
    licences: licences(project, bill),
    builds: hashes(project),
    drill: restoreDrill(project),
  };
  write(values.out, pack, bill);
  const bad = pack.tests.filter(({ result }) => result !== 'passed');
  for (const { number, result, file, name } of bad) console.log(`${result}: ${number}, ${file}, ${name}`);
  console.log(
    `${pack.tests.length - bad.length} of ${pack.tests.length} tests passed. ${join(values.out, 'report.html')}`,
  );
  return bad.length > 0 || pack.drill.state === 'failed' ? 1 : 0;
}

process.exitCode = main();
