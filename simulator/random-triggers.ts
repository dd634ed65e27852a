import type { RandomStudy } from './random-events.ts';
import { iso } from './random-moments.ts';
import type { ScenarioFile } from './scenario.ts';

type Event = NonNullable<ScenarioFile['events']>[number];
type Fault = NonNullable<ScenarioFile['faults']>[number];
type Reminders = ScenarioFile['surveys'][number]['reminders'];

const minuteMs = 60_000;
const answers = ['badly', 'badly', 'well', ''] as const;

/** The same study, in which some surveys follow responses, and people give, edit, delete and repeat those. */
export function withTriggers(study: RandomStudy, scenario: ScenarioFile): ScenarioFile {
  const { draws, members, within } = study;
  const { below, one, chance, some } = draws;
  const names = scenario.surveys.map(({ name }) => name);
  const follow = (reminders: Reminders, least: number) => triggered(study, reminders, { names, least });
  // A survey may follow itself, or two each other: then each waits for five minutes at least.
  const surveys = [...scenario.surveys, { name: 'Afterwards', reminders: { expiresAfter: 360 } }].map(
    ({ name, reminders }, n, { length }) =>
      n === length - 1 || chance(0.3) ? { name, reminders: follow(reminders, 5) } : { name, reminders },
  );
  const survey = () => one(surveys).name;
  const who = () => one(members).name;
  const at = () => within();
  const changed = (): Event =>
    one<() => Event>([
      () => ({ at: at(), who: who(), survey: survey(), does: 'deletes-answer', nth: below(2) }),
      () => ({ at: at(), who: who(), survey: survey(), does: 'restores-answer', nth: below(2) }),
      () => ({
        at: at(),
        who: who(),
        survey: survey(),
        does: 'edits-answer',
        q1: one(['badly', 'well']),
        nth: below(2),
      }),
      () => ({ at: at(), who: who(), survey: survey(), does: 'repeats-answer', nth: below(2) }),
    ])();
  const rounds = Array.from({ length: 2 + below(5) }, () =>
    round(study, { survey: survey(), who: who(), at: at() }),
  );
  const edits = some(2, (): Event => {
    const reminders = follow({ expiresAfter: one([30, 360]) }, 0);
    return {
      at: at(),
      who: members[0]?.name ?? '',
      does: 'edits-reminders',
      survey: survey(),
      reminders,
      again: chance(0.2),
    };
  });
  return {
    ...scenario,
    surveys,
    events: [
      ...(scenario.events ?? []),
      ...rounds.flatMap(({ events }) => events),
      ...some(6, changed),
      ...edits,
    ].filter(
      (event) =>
        Date.parse(event.at) >= Date.parse(scenario.from) &&
        Date.parse(event.at) <= Date.parse(scenario.until),
    ),
    faults: [...(scenario.faults ?? []), ...rounds.flatMap(({ faults }) => faults)],
  };
}

function triggered(
  { draws: { below, one, chance, wallTime } }: RandomStudy,
  reminders: Reminders,
  { names, least }: { names: string[]; least: number },
): Reminders {
  const expiresAfter = Number(reminders?.expiresAfter ?? 360);
  const every = one([5, 20]);
  const most = Math.min(10, Math.floor((expiresAfter - 1) / every));
  return {
    type: 'triggered',
    recurrence: null,
    trigger: {
      survey: one([...names, 'Afterwards']),
      after: Math.max(least, one([0, 4, 5, 7, 20, 60, 240])),
      ...(chance(0.25) && { at: wallTime() }),
      ...(chance(0.35) && { where: { q1: ['badly', 'worse'] } }),
      each: chance(0.75),
    },
    expiresAfter,
    unlessAnswered: chance(0.2),
    notification: { subject: 'Bell', body: 'And now?' },
    ...(most > 0 && chance(0.3) && { followUps: { every, max: 1 + below(most) } }),
    ...(chance(0.15) && { clock: 'study' }),
  };
}

/** Some answers of one person, what becomes of them, and sometimes an outage when their reminders are due. */
function round(
  { draws: { below, one, chance, some } }: RandomStudy,
  { survey, who, at }: { survey: string; who: string; at: string },
): { events: Event[]; faults: Fault[] } {
  const start = Date.parse(at);
  const later = () => iso(start + one([1, 4, 5, 6, 19, 21, 60, 240]) * minuteMs + below(60_000) - 30_000);
  const given = Array.from({ length: 1 + below(4) }, (_, n): Event => {
    const minutesAgo = chance(0.2) ? one([1, 10, 90, 700]) : 0;
    return {
      at: iso(start + n * one([1000, 20_000, 5 * minuteMs])),
      who,
      survey,
      does: 'answers',
      q1: one(answers),
      minutesAgo,
      names: minutesAgo > 1 && minutesAgo < 100,
    };
  });
  const changes = some(3, (): Event => {
    const nth = below(given.length);
    return one<Event>([
      { at: later(), who, survey, does: 'deletes-answer', nth },
      { at: later(), who, survey, does: 'restores-answer', nth },
      { at: later(), who, survey, does: 'edits-answer', q1: one(['badly', 'well']), nth },
      { at: later(), who, survey, does: 'repeats-answer', nth },
    ]);
  });
  const lasting = {
    from: iso(start + below(20) * minuteMs),
    until: iso(start + (20 + below(300)) * minuteMs),
  };
  const outage = one<Fault>([
    { what: 'alarms', is: 'lost', share: 1, ...lasting },
    { what: 'relay', is: 'down', share: 1, ...lasting },
    { what: 'crash', at: later(), point: 'now', downSeconds: one([2, 600, 7200]) },
    {
      what: 'crash',
      at: later(),
      point: one(['after-publish', 'before-commit', 'after-commit']),
      downSeconds: 2,
    },
  ]);
  return { events: [...given, ...changes], faults: chance(0.4) ? [outage] : [] };
}
