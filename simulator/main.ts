import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { closed, type Leak, leaks } from './arm-study.ts';
import { distinguish } from './distinguisher.ts';
import { type HerdOptions, simulateHerd } from './herd.ts';
import { type TroubleName, troubles } from './herd-troubles.ts';
import { compareOutcome, readRecords, recordOutcome } from './outcome-records.ts';
import { randomScenario } from './random.ts';
import { summary, textReport } from './report.ts';
import { readResults, sumTotals, type Totals } from './results.ts';
import { simulate } from './run.ts';
import { readScenario, ScenarioError } from './scenario.ts';

/** Of one study, unless all are asked for by --full. */
const shownDifferences = 5;

const usage = `Runs a study through the application in simulated time, and prints what each participant gets.

  npm run simulate -- <study.json>        a study from a file; see simulator/examples
  npm run simulate -- --seed 42           a random study; --describe prints its file instead
  npm run simulate -- --random 1000       1000 random studies from --seed (1) on; prints those that fail
  npm run simulate -- --herd 10000        10000 members who are due in the same minute, at --pushes 300 a second and
                                          through --objects 16 delivery objects; --trouble
                                          ${Object.keys(troubles).join(', ')}

  npm run simulate -- --random 100 --record before.jsonl --full
                                          adds the outcomes of random studies to a file, without faults if --calm
  npm run simulate -- --compare before.jsonl
                                          runs the studies of such a file again, and prints what differs

  npm run simulate -- --arms 40           guesses the arms of 40 studies by all that a blinded editor reads; --leak
                                          all, or one of simulator/arm-study.ts, plants what must be told

--json prints for programs. Exit code 1: an invariant is violated. 2: the file does not describe a study.`;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        describe: { type: 'boolean', default: false },
        seed: { type: 'string' },
        random: { type: 'string' },
        herd: { type: 'string' },
        pushes: { type: 'string', default: '300' },
        objects: { type: 'string', default: '16' },
        trouble: { type: 'string' },
        record: { type: 'string' },
        full: { type: 'boolean', default: false },
        calm: { type: 'boolean', default: false },
        compare: { type: 'string' },
        arms: { type: 'string' },
        leak: { type: 'string' },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

function wholeNumber(option: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${option} ${text}: expected a whole number.`);
}

const isTrouble = (name: string): name is TroubleName => Object.hasOwn(troubles, name);

function troubleNamed(name: string | undefined): TroubleName | undefined {
  if (name === undefined || isTrouble(name)) return name;
  return refuse(`--trouble ${name}: expected one of ${Object.keys(troubles).join(', ')}.`);
}

async function readStudy(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => refuse(`${file}: there is no such file to read.`));
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function runStudy(study: unknown, name: string, json: boolean) {
  try {
    const results = await simulate(readScenario(study), readResults);
    console.log(json ? JSON.stringify(results, null, 2) : textReport(results));
    if (results.violations.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    refuse(`${name} does not describe a study:\n${error.message}`);
  }
}

async function runRandom(count: number, first: number) {
  let wrong = 0;
  const all: Totals[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const { violations, totals } = await simulate(readScenario(randomScenario(seed)), readResults);
    all.push(totals);
    if (violations.length === 0) continue;
    wrong++;
    console.log(`npm run simulate -- --seed ${seed}\n${violations.map((one) => `  ${one}`).join('\n')}`);
  }
  console.log(summary(sumTotals(all)).join('\n'));
  console.log(`${count} random studies, ${wrong} of them with violations.`);
  if (wrong > 0) process.exitCode = 1;
}

async function runRecord(file: string, seeds: { count: number; first: number }) {
  const { calm, full } = values;
  for (let seed = seeds.first; seed < seeds.first + seeds.count; seed++)
    await recordOutcome(file, { seed, calm }, full);
}

async function runCompare(file: string) {
  const records = await readRecords(file);
  let [differ, late] = [0, 0];
  for (const record of records) {
    const differences = await compareOutcome(record);
    const things = differences.filter(({ onlyWhen }) => !onlyWhen);
    if (things.length > 0) differ++;
    else if (differences.length > 0) late++;
    const shown = values.full ? differences : things.slice(0, shownDifferences);
    if (shown.length === 0) continue;
    console.log(`seed ${record.seed}${record.calm ? ', calm' : ''}: ${differences.length} differences`);
    console.log(shown.map(({ what }) => `  ${what}`).join('\n'));
  }
  console.log(`${records.length} studies: ${differ} differ, ${late} more only in when something happened.`);
  if (differ > 0) process.exitCode = 1;
}

/** Without a leak arms must not be told, with one they must. */
async function runArms(studies: number, first: number, named: string | undefined) {
  const known = Object.keys(leaks) as Leak[];
  const planted = named === 'all' ? known : known.filter((leak) => leak === named);
  if (named !== undefined && planted.length === 0)
    refuse(`--leak ${named}: expected all, or one of ${known.join('; ')}.`);
  for (const leak of named === undefined ? [undefined] : planted) {
    const { feature, right, of, bound, told } = await distinguish({ first, studies }, leak);
    console.log(`${leak ?? 'no leak'}: ${right} of ${of} right, chance is below ${bound}, by ${feature}`);
    if (told !== (leak !== undefined && !closed.includes(leak))) process.exitCode = 1;
  }
}

async function runHerd(options: HerdOptions) {
  const { users } = options;
  const results = await simulateHerd(options);
  console.log(JSON.stringify(results, null, 2));
  if (results.sent < users || results.twice > results.excused) process.exitCode = 1;
}

const { values, positionals } = readArguments();
const seed = values.seed === undefined ? undefined : wholeNumber('seed', values.seed);
const [file] = positionals;
if (values.herd !== undefined)
  await runHerd({
    users: wholeNumber('herd', values.herd),
    pushesPerSecond: wholeNumber('pushes', values.pushes),
    objects: wholeNumber('objects', values.objects),
    trouble: troubleNamed(values.trouble),
  });
else if (values.arms !== undefined) await runArms(wholeNumber('arms', values.arms), seed ?? 1, values.leak);
else if (values.compare !== undefined) await runCompare(values.compare);
else if (values.random !== undefined && values.record !== undefined)
  await runRecord(values.record, { count: wholeNumber('random', values.random), first: seed ?? 1 });
else if (values.random !== undefined) await runRandom(wholeNumber('random', values.random), seed ?? 1);
else if (seed !== undefined && values.describe) console.log(JSON.stringify(randomScenario(seed), null, 2));
else if (seed !== undefined) await runStudy(randomScenario(seed), `seed ${seed}`, values.json);
else if (file !== undefined) await runStudy(await readStudy(file), file, values.json);
else refuse(usage);
