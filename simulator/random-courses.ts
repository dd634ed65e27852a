import { createDraws, type Draws } from './random-draws.ts';
import { iso } from './random-moments.ts';
import type { ScenarioFile } from './scenario.ts';

type Event = NonNullable<ScenarioFile['events']>[number];
type Reminders = ScenarioFile['surveys'][number]['reminders'];

const dayMs = 86_400_000;
const names = ['surgery', 'visit'];

/**
 * The same study with days of people's own: dates that move, times that end, days that are counted, weekdays that are drawn,
 * and reminders that stay open for days. Its draws are its own, so that a seed gives the same study but for them.
 */
export function withCourses(seed: number, scenario: ScenarioFile): ScenarioFile {
  const draws = createDraws(seed ^ 0xc0a5e);
  const { below, chance, some, one } = draws;
  const from = Date.parse(scenario.from);
  const isLong = chance(0.4) && !(scenario.faults ?? []).some(({ what }) => what === 'zones');
  const until = Date.parse(scenario.until) + (isLong ? (1 + below(4)) * dayMs : 0);
  const change = (reminders: Reminders) =>
    reminders && chance(0.8) ? counted(draws, reminders, isLong) : reminders;
  const dateNear = () => iso(from + (below(7) - 3) * dayMs).slice(0, 10);
  const [owner, ...others] = scenario.members.map(({ name }) => name);
  const who = owner ?? '';
  const at = () => iso(from + 1000 + below(until - from - 2000));
  const time = () => randomTime(draws, dateNear);
  const moved = (): Event => ({
    ...{ at: at(), who, does: 'moves-dates', of: one(others.length > 0 ? others : [who]) },
    dates: chance(0.7) ? { [one(names)]: chance(0.15) ? null : dateNear() } : {},
    ...(chance(0.4) && { participation: chance(0.25) ? null : time() }),
  });
  const days = () => (chance(0.3) ? null : 1 + below(4));
  const changed = (): Event => ({ at: at(), who, does: 'changes-study', participationDays: days() });
  return {
    ...scenario,
    until: iso(until),
    study: { ...scenario.study, dates: names, ...(chance(0.3) && { participationDays: days() }) },
    surveys: scenario.surveys.map((survey) => ({ ...survey, reminders: change(survey.reminders) })),
    members: scenario.members.map((member) => ({
      ...member,
      ...(chance(0.7) && { dates: { surgery: dateNear(), ...(chance(0.5) && { visit: dateNear() }) } }),
      ...(chance(0.25) && { participation: time() }),
    })),
    events: [
      ...(scenario.events ?? []).map((event) =>
        event.does === 'edits-reminders' ? { ...event, reminders: change(event.reminders) } : event,
      ),
      ...some(5, moved),
      ...(chance(0.3) ? [changed()] : []),
    ],
  };
}

function randomTime({ chance }: Draws, dateNear: () => string) {
  const [from, until] = [dateNear(), dateNear()].sort() as [string, string];
  if (chance(0.3)) return { from };
  return chance(0.5) ? { until } : { from, until };
}

/** Reminders that count days, or draw weekdays, and may stay open for days. */
export function counted(draws: Draws, reminders: NonNullable<Reminders>, isLong: boolean): Reminders {
  const { below, one, chance } = draws;
  const opened = isLong && chance(0.6) ? visit(draws, reminders) : reminders;
  const [minute, hour] = String(reminders.recurrence).split(' ');
  if (reminders.type === 'fixed' || (reminders.type === 'rolling' && chance(0.5)))
    return {
      ...opened,
      ...{ type: 'fixed', ends: null, delay: null },
      recurrence: `${minute} ${hour} * * *`,
      from: one(['download', 'joined', { date: 'surgery' }, { date: 'surgery' }, { date: 'visit' }]),
      days: one([
        () => [one([0, 1, 2])],
        () => [-2, 0, 1, 2, 5].slice(below(2)),
        () => Array.from({ length: 8 }, (_, n) => n - 3),
        () => ({ every: 1 + below(3), times: 1 + below(5) }),
        () => ({ every: 3, burst: 2, times: 1 + below(3) }),
      ])(),
    };
  if (reminders.type !== 'rolling' || chance(0.3)) return opened;
  return { ...opened, recurrence: `${minute} ${hour} * * ${one(['*', '0-6', '1-6'])}`, pick: 1 + below(6) };
}

/** Nudges come at the time of day, or a few hours apart. */
function visit({ below, one, chance }: Draws, reminders: NonNullable<Reminders>): NonNullable<Reminders> {
  const expiresAfter = one([2 * 1440, 4 * 1440, 86_400]);
  const every = one([1440, 1440, 2880, 600]);
  const most = Math.min(6, Math.floor((expiresAfter - 1) / every));
  if (most === 0 || chance(0.2)) return { ...withoutNudges(reminders), expiresAfter };
  return {
    ...reminders,
    expiresAfter,
    followUps: { every, max: 1 + below(most), stop: one(['answered', 'opened']) },
  };
}

const withoutNudges = ({ followUps: _, ...reminders }: NonNullable<Reminders>) => reminders;
