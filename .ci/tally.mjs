import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

/*
 * Reads vitest's JSON reports; a second one is of what failed in the first and ran once more.
 * `tally.mjs files REPORT`: the files that failed, a line each.
 * `tally.mjs counts REPORT...`: what failed and how, and `passed=N failed=N` as the last line.
 */
const [what, ...reports] = process.argv.slice(2);
const files = reports.map((report) => JSON.parse(readFileSync(report, 'utf8')).testResults);
const place = ({ name }) => relative(process.cwd(), name);
const hasFailed = ({ status }) => status === 'failed';

if (what === 'files') for (const file of files[0].filter(hasFailed)) console.log(place(file));
else {
  for (const [n, report] of files.entries())
    for (const file of report.filter(hasFailed))
      for (const { fullName, failureMessages } of faultsOf(file))
        console.log(
          `FAILED, try ${n + 1}: ${place(file)} > ${fullName}\n${excerpt(failureMessages.join('\n'))}`,
        );

  const latest = [...new Map(files.flat().map((file) => [file.name, file])).values()];
  const sum = (count) => latest.reduce((total, file) => total + count(file), 0);
  const passed = sum(
    ({ assertionResults }) => assertionResults.filter((test) => test.status === 'passed').length,
  );
  console.log(`passed=${passed} failed=${sum((file) => (hasFailed(file) ? faultsOf(file).length : 0))}`);
}

/** A file can also fail as a whole. */
function faultsOf({ assertionResults, message }) {
  const tests = assertionResults.filter(hasFailed);
  return tests.length > 0 ? tests : [{ fullName: '(before its tests)', failureMessages: [message] }];
}

function excerpt(message) {
  const lines = message.split('\n');
  const shown = lines.length > 16 ? [...lines.slice(0, 12), '...', ...lines.slice(-4)] : lines;
  return shown.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}
