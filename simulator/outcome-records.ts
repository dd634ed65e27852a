import { appendFile, readFile } from 'node:fs/promises';
import { type Difference, differencesOf } from './outcome-differences.ts';
import { digestOf, type Outcome, readOutcome } from './outcomes.ts';
import { randomScenario } from './random.ts';
import { simulate } from './run.ts';
import { readScenario } from './scenario.ts';

/** A random study's outcome, as a line of a file. */
interface OutcomeRecord {
  seed: number;
  /** Without faults. */
  calm: boolean;
  digest: string;
  /** Absent: only equality is told. */
  outcome?: Outcome;
}

type Study = Pick<OutcomeRecord, 'seed' | 'calm'>;

export function outcomeOfSeed({ seed, calm }: Study): Promise<Outcome> {
  const { faults, ...rest } = randomScenario(seed);
  return simulate(readScenario({ ...rest, faults: calm ? [] : faults }), readOutcome);
}

/** Adds a line to the file. */
export async function recordOutcome(file: string, study: Study, full: boolean): Promise<Outcome> {
  const outcome = await outcomeOfSeed(study);
  const record: OutcomeRecord = { ...study, digest: digestOf(outcome), ...(full && { outcome }) };
  await appendFile(file, `${JSON.stringify(record)}\n`);
  return outcome;
}

export const readRecords = async (file: string): Promise<OutcomeRecord[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Runs the study of a record again. @returns the differences; none: its users see the same */
export async function compareOutcome({ digest, outcome, ...study }: OutcomeRecord): Promise<Difference[]> {
  const now = await outcomeOfSeed(study);
  if (digestOf(now) === digest) return [];
  return outcome ? differencesOf(outcome, now) : [{ what: 'the digest is another one', onlyWhen: false }];
}
