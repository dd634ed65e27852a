import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { textReport } from './simulator/report.ts';
import { readResults } from './simulator/results.ts';
import { simulate } from './simulator/run.ts';
import { readScenario, ScenarioError } from './simulator/scenario.ts';

const usage = `Usage: npm run simulate -- <study.json> [--json]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined) {
  console.error(usage);
  process.exit(2);
}
try {
  const scenario = readScenario(JSON.parse(await readFile(file, 'utf8')));
  const results = await simulate(scenario, readResults);
  console.log(values.json ? JSON.stringify(results, null, 2) : textReport(results));
  if (results.violations.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof ScenarioError || error instanceof SyntaxError)) throw error;
  console.error(`${file} does not describe a study:\n${error.message}`);
  process.exitCode = 2;
}
