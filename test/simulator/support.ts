import type { Run } from '../../simulator/context.ts';
import { factsOf, readStored, type Stored } from '../../simulator/facts.ts';
import { violationsIn } from '../../simulator/invariants.ts';
import type { Results } from '../../simulator/results.ts';
import { readResults } from '../../simulator/results.ts';
import { type Models, simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';

/** Each day at noon, by the study's calendar. */
export const daily = {
  type: 'rolling',
  recurrence: '0 12 * * *',
  notification: { subject: 'Diary', body: 'How are you?' },
};

/** An instant of June 2027, which is far from clock changes. */
export const june = (day: number, time: string) => `2027-06-${String(day).padStart(2, '0')}T${time}Z`;

/** Two days of a study in UTC: Ada owns it, Chidi has a phone and Dana none, and both are reminded at noon. */
export function diary(changes: Partial<ScenarioFile> = {}): ScenarioFile {
  return {
    name: 'Diary',
    from: june(8, '08:00:00'),
    until: june(9, '20:00:00'),
    study: { timeZone: 'UTC', startsOn: '2027-06-08' },
    surveys: [{ name: 'Diary', reminders: daily }],
    members: [
      { name: 'Ada', role: 'owner' },
      { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'UTC' }] },
      { name: 'Dana' },
    ],
    reconcile: false,
    ...changes,
  };
}

export interface Outcome extends Results {
  run: Run;
}

/** Runs a described study to its results. */
export const outcomeOf = (file: ScenarioFile, models: Models = {}): Promise<Outcome> =>
  simulate(readScenario(file), async (run) => ({ ...(await readResults(run)), run }), models);

/** The outcome of each of a person's dates, such as `2027-06-08 sent` or `2027-06-09 skipped: paused`. */
export const datesOf = ({ participants }: Results, name: string): string[] =>
  (participants.find((one) => one.name === name)?.notifications ?? []).map(
    ({ on, state, reason }) => `${on} ${state}${reason === undefined ? '' : `: ${reason}`}`,
  );

/** When each push reached somebody's phone, such as `08 12:00:01`. */
export const pushesTo = ({ participants }: Results, name: string, phone = 'pixel'): string[] =>
  (participants.find((one) => one.name === name)?.phones ?? [])
    .filter((one) => one.name === phone)
    .flatMap((one) => one.pushes.map(({ at }) => at.slice(8, 19).replace('T', ' ')));

/** Runs a study that goes well, spoils what the service is said to have kept of it, and looks again. */
export const spoilt = (file: ScenarioFile, spoil: (stored: Stored, run: Run) => unknown): Promise<string[]> =>
  simulate(readScenario(file), async (run) => {
    if (run.violations.length > 0) throw new Error(run.violations.join('\n'));
    const stored = await readStored(run);
    spoil(stored, run);
    return violationsIn(factsOf(run, stored));
  });
