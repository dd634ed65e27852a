import { existsSync, readFileSync } from 'node:fs';

/*
 * `tally.mjs FAILED_STEPS REPORT...`: prints what failed, and last "N passed, N failed" of vitest's reports; exits with 1
 * on a failure, or if a file is in two of them. A report has two files beside it that `failures.mjs` wrote.
 */
const [failedSteps, ...paths] = process.argv.slice(2);
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const reports = paths.map((path) => JSON.parse(textOf(`${path}.json`) || 'null'));
for (const path of paths) {
  process.stdout.write(textOf(`${path}.failed`));
  const running = textOf(`${path}.running`);
  if (running) process.stdout.write(`\nFAILED: the run was ended during\n${running}`);
}
// "Every test once": a file in both reports would also make the first run as slow as the second.
const files = reports.flatMap((report) => [...new Set(report?.testResults.map(({ name }) => name))]);
const twice = files.filter((name, n) => files.indexOf(name) !== n);
for (const name of twice) console.log(`\nFAILED: run twice: ${name}`);
const sum = (name) => reports.reduce((total, report) => total + (report?.[name] ?? 0), 0);
const failed = Math.max(Number(failedSteps), sum('numFailedTests')) + twice.length;
console.log(`\n${sum('numPassedTests')} passed, ${failed} failed`);
process.exit(failed === 0 && reports.every(Boolean) ? 0 : 1);
