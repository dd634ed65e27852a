import { existsSync, readFileSync } from 'node:fs';

/* `tally.mjs FAILED_STEPS REPORT...`: prints "N passed, N failed" of vitest's reports, and exits with 1 on a failure. */
const [failedSteps, ...paths] = process.argv.slice(2);
const reports = paths.map((path) => existsSync(path) && JSON.parse(readFileSync(path, 'utf8')));
const sum = (name) => reports.reduce((total, report) => total + (report[name] ?? 0), 0);
const failed = Math.max(Number(failedSteps), sum('numFailedTests'));
console.log(`\n${sum('numPassedTests')} passed, ${failed} failed`);
process.exit(failed === 0 && reports.every(Boolean) ? 0 : 1);
