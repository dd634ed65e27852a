import { withCourses } from './random-courses.ts';
import { createDraws } from './random-draws.ts';
import { type RandomStudy, randomEvent, randomFreeze, randomQuietHoursEvent } from './random-events.ts';
import { randomFault, randomFullDisk, randomOutage, randomUpgrade } from './random-faults.ts';
import { withGroups } from './random-groups.ts';
import { createMoments, iso } from './random-moments.ts';
import { dueTimes, randomMembers, randomQuietHours, zones } from './random-people.ts';
import { type RandomReminders, randomReminders, withNudges, withWindows } from './random-reminders.ts';
import { withTriggers } from './random-triggers.ts';
import type { ScenarioFile } from './scenario.ts';

const hourMs = 3_600_000;

/** The eves of clock changes in Paris, New York and Lord Howe, and two days without a change. */
const starts = ['2027-03-27', '2027-03-13', '2027-04-03', '2027-10-30', '2027-06-08', '2027-12-30'];

/** The share of studies with triggered reminders. */
const triggeredShare = 0.35;

/** The share of studies with days of people's own. */
const coursesShare = 0.35;

/** The share of studies with sites and arms. */
const groupsShare = 0.35;

/** A small study of a day or two in which much goes wrong, in the form of a study's file. */
export function randomScenario(
  seed: number,
  { triggered = triggeredShare, courses = coursesShare, groups = groupsShare } = {},
): ScenarioFile {
  const draws = createDraws(seed ^ 0x5eed);
  const { below, one, chance, some } = draws;
  const from = Date.parse(`${one(starts)}T00:00:00Z`) + below(24) * hourMs;
  const period = { from, hours: 10 + below(22) };
  const due: number[] = [];
  const { moment, within } = createMoments(draws, period, due);
  const surveys = Array.from({ length: chance(0.6) ? 1 : 2 }, (_, n) => ({
    name: `Survey ${n + 1}`,
    reminders: randomReminders(draws),
  }));
  const members = randomMembers(draws, surveys, within);
  due.push(...dueTimes(surveys, members, period));

  const study = { draws, surveys, members, from, within };
  const scenario = {
    name: `seed ${seed}`,
    seed,
    from: iso(from),
    until: iso(from + period.hours * hourMs),
    study: { timeZone: one(zones), startsOn: iso(from + (below(3) - 1) * 24 * hourMs).slice(0, 10) },
    surveys,
    members,
    events: some(9, () => randomEvent(study)),
    faults: some(5, () => randomFault(draws, moment)),
    latency: { relayMs: one([0, 0, 200, 1500, 4000]), databaseMs: one([0, 0, 5, 300]) },
    reconcile: chance(0.3),
  };
  const more = withMore(study, scenario);
  // Drawn last as well.
  const full = chance(0.25) ? randomFullDisk(draws, moment) : [];
  const outage = chance(0.25) ? [randomOutage(draws, period)] : [];
  const all = { ...more, faults: [...(more.faults ?? []), ...full, ...outage] };
  const clocked = chance(0.25) ? onStudyClock(all) : all;
  const asked = {
    ...clocked,
    events: (clocked.events ?? []).map((event) =>
      event.does === 'edits-reminders' ? { ...event, again: chance(0.2) } : event,
    ),
  };
  const drawn = chance(triggered) ? withTriggers(study, asked) : asked;
  const own = chance(courses) ? withCourses(seed, drawn) : drawn;
  return chance(groups) ? withGroups(seed, own) : own;
}

/** All reminders of the study on its own clock. */
function onStudyClock(scenario: ScenarioFile): ScenarioFile {
  const clocked = <R extends object | null>(reminders: R) => reminders && { ...reminders, clock: 'study' };
  return {
    ...scenario,
    surveys: scenario.surveys.map((survey) => ({ ...survey, reminders: clocked(survey.reminders) })),
    events: (scenario.events ?? []).map((event) =>
      event.does === 'edits-reminders' ? { ...event, reminders: clocked(event.reminders) } : event,
    ),
  };
}

/** With one timer for all nothing is settled until the clock is right again. */
const mendedAt = (at: string, { until }: ScenarioFile) =>
  iso(Math.min(Date.parse(at) + 1.5 * hourMs, Date.parse(until)));

type Plain = ScenarioFile & { [List in 'events' | 'faults']: NonNullable<ScenarioFile[List]> };

/** Drawn last, so that a seed gives the same study with and without all of this. */
function withMore(study: RandomStudy, scenario: Plain): ScenarioFile {
  const { draws, surveys, members } = study;
  const { one, chance, some } = draws;
  const upgrades = chance(0.3) ? [randomUpgrade(draws, members, study.within)] : [];
  const freezes = chance(0.3) ? randomFreeze(study) : [];
  const hasWindows = chance(0.3);
  const quiet = chance(0.3);
  const changedHours = quiet ? some(2, () => randomQuietHoursEvent(study)) : [];
  const quietMembers = quiet
    ? members.map((member) => ({ ...member, quietHours: randomQuietHours(draws) }))
    : members;
  const all = hasWindows
    ? surveys.map(({ name, reminders }) => ({ name, reminders: withWindows(draws, reminders) }))
    : surveys;
  const nudges = chance(0.5);
  const habits = { share: one([0.2, 0.5]), after: [0, 1, 5, 7, 20, 60, 150], snooze: [5, 7, 20, 60, 240] };
  const reactive = nudges || chance(0.2);
  const alarms = chance(0.3) ? 'timer' : 'objects';
  return {
    ...scenario,
    alarms,
    faults: [...scenario.faults, ...upgrades].map((fault) =>
      fault.what === 'clock' && alarms === 'timer'
        ? { ...fault, until: mendedAt(fault.at, scenario) }
        : fault,
    ),
    events: [...scenario.events, ...freezes, ...changedHours].map((event) =>
      nudges && event.does === 'edits-reminders' && event.reminders
        ? { ...event, reminders: withNudges(draws, event.reminders as RandomReminders) }
        : event,
    ),
    surveys: nudges
      ? all.map(({ name, reminders }) => ({ name, reminders: withNudges(draws, reminders) }))
      : all,
    members: reactive ? quietMembers.map((member) => ({ ...member, habits })) : quietMembers,
  };
}
