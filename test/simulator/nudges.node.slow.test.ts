import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Stored } from '../../simulator/facts.ts';
import type { ScenarioFile } from '../../simulator/scenario.ts';
import type * as followUps from '../../src/schedule/follow-ups.ts';
import type * as decisions from '../../src/schedule/verdicts.ts';
import type * as support from './support.ts';
import { daily, diary, june, type Outcome, pushesTo, spoilt } from './support.ts';

/** The fault of the service; none by default. */
let fault = '';
afterEach(() => {
  fault = '';
});

const paths = {
  verdicts: '../../src/schedule/verdicts.ts',
  followUps: '../../src/schedule/follow-ups.ts',
};
/** The simulator around a service that can be broken. Test files share modules, so this one has copies of its own. */
let outcomeOf: typeof support.outcomeOf;

type State = Parameters<typeof decisions.verdictOf>[1];

/** The state as the broken service sees it. */
function blinded(state: State): State {
  const blind: Record<string, object> = {
    'after-answer': { answers: [], answered: new Map() },
    'in-quiet-hours': { quietHours: null },
    'in-pause': { pausedUntil: null },
    'past-expiry': { expiresAfter: state.expiresAfter + 1_000 },
    'too-many': { followUps: state.followUps && { ...state.followUps, max: state.followUps.max + 1 } },
  };
  return { ...state, ...blind[fault] };
}

/** The follow-ups of a push as the broken service counts them. */
function recounted(sent: followUps.Sent): followUps.Sent {
  if (fault === 'from-the-first-push') return { ...sent, countedFrom: sent.dueAt };
  return fault === 'all-again' ? { ...sent, earlierNudges: 0 } : sent;
}

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(paths.verdicts, async (original) => {
    const real = await original<typeof decisions>();
    const verdictOf: typeof real.verdictOf = (push, state, now) =>
      real.verdictOf(
        fault === 'after-open' && 'followUp' in push ? { ...push, openedAt: null } : push,
        blinded(state),
        now,
      );
    return { ...real, verdictOf };
  });
  vi.doMock(paths.followUps, async (original) => {
    const real = await original<typeof followUps>();
    const nextFollowUp: typeof real.nextFollowUp = (sent, rules) =>
      fault === 'loses-first' ? null : real.nextFollowUp(recounted(sent), blinded(rules as State));
    const judgeFollowUps: typeof real.judgeFollowUps = (sent, state, now) => {
      // As if each of those that were missed came at its time.
      const at = fault === 'one-by-one' ? Math.min(now, sent.nextAt ?? now) : now;
      const decision = real.judgeFollowUps(recounted(sent), blinded(state), at);
      const { send, ...rest } = decision;
      if (fault === 'loses-next') return { ...decision, next: null };
      if (fault !== 'invents' || !send) return decision;
      return { ...rest, skipped: [...decision.skipped, { ...send, reason: 'paused' }] };
    };
    return { ...real, nextFollowUp, judgeFollowUps };
  });
  ({ outcomeOf } = await import('./support.ts'));
});

afterAll(() => {
  for (const path of Object.values(paths)) vi.doUnmock(path);
  vi.resetModules();
});

type Events = NonNullable<ScenarioFile['events']>;
const chidi = (at: string, what: object): Events[number] =>
  ({ at: june(8, at), who: 'Chidi', ...what }) as Events[number];
const answers = (at: string) => chidi(at, { does: 'answers', survey: 'Diary' });
const snoozes = (at: string, minutes: number) => chidi(at, { does: 'snoozes', survey: 'Diary', minutes });

/** At noon, and three times more while it is not answered. */
const nudging = { ...daily, followUps: { every: 20, max: 3 }, expiresAfter: 120 };

const study = (changes: Partial<ScenarioFile> = {}, reminders: object = nudging): ScenarioFile =>
  diary({
    until: june(8, '20:00:00'),
    surveys: [{ name: 'Diary', reminders: { ...reminders } }],
    ...changes,
  });

const minutesOf = (outcome: Outcome) => pushesTo(outcome, 'Chidi').map((at) => at.slice(3, 8));

/** Chidi's noon in the history: the attempts after its first push. */
const triesOf = ({ participants }: Outcome) =>
  (participants.find(({ name }) => name === 'Chidi')?.notifications[0]?.followUps ?? []).map(
    ({ kind, dueAt, state, reason }) =>
      [kind, dueAt.slice(11, 16), state, ...(reason ? [reason] : [])].join(' '),
  );

const alarmsLost = {
  what: 'alarms' as const,
  is: 'lost' as const,
  from: june(8, '12:10:00'),
  until: june(8, '13:15:00'),
};
const asleep = (from: string, to: string) => [
  { name: 'Ada', role: 'owner' as const },
  { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'UTC' }], quietHours: { from, to } },
];

test('nudges come until the answer, and a snooze holds them up, from which they are counted', async () => {
  const plain = await outcomeOf(study());
  expect(plain.violations).toEqual([]);
  expect(minutesOf(plain)).toEqual(['12:00', '12:20', '12:40', '13:00']);
  const outcome = await outcomeOf(
    study({ events: [snoozes('12:05:00', 30), snoozes('12:06:00', 300), answers('13:10:00')] }),
  );
  expect(outcome.violations).toEqual([]);
  expect(minutesOf(outcome)).toEqual(['12:00', '12:35', '12:55']);
  expect(triesOf(outcome)).toEqual(['snooze 12:35 sent', 'nudge 12:55 sent', 'nudge 13:15 skipped answered']);
  expect(outcome.refusals).toEqual([]);
  expect(outcome.totals).toMatchObject({ nudges: 1, snoozes: 1, leftOut: { answered: 1 } });
});

test('a snooze waits for quiet hours to end, and nudges within them are left out', async () => {
  const outcome = await outcomeOf(
    study({ members: asleep('12:10', '12:50'), events: [snoozes('12:05:00', 20)] }),
  );
  expect(outcome.violations).toEqual([]);
  expect(minutesOf(outcome)).toEqual(['12:00', '12:50', '13:10', '13:30', '13:50']);
});

describe('nothing is lost, and nothing comes twice,', () => {
  const window = { from: june(8, '12:18:00'), until: june(8, '12:25:00') };
  test.each<[string, NonNullable<ScenarioFile['faults']>, number]>([
    ['when alarms are lost', [alarmsLost], 4],
    ['when alarms ring twice', [{ what: 'alarms', is: 'twice', ...window }], 4],
    ['when the relay is down for a nudge', [{ what: 'relay', is: 'down', ...window }], 4],
    [
      'when the relay takes a nudge and does not say so',
      [{ what: 'relay', is: 'slow', ms: 5000, ...window }],
      4,
    ],
    ['when a nudge cannot be written down', [{ what: 'database', is: 'lost-before-commit', ...window }], 4],
    [
      'when the process dies behind a nudge',
      [{ what: 'crash', at: june(8, '12:20:00'), point: 'after-publish' }],
      5,
    ],
    [
      'when it dies before it armed the next',
      [{ what: 'crash', at: june(8, '12:20:00'), point: 'before-arming' }],
      4,
    ],
  ])('%s', async (_, faults, pushes) => {
    const outcome = await outcomeOf(study({ faults }));
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi').length).toBeGreaterThanOrEqual(pushes);
    expect(new Set(outcome.run.relay.accepted.map(({ collapseId }) => collapseId)).size).toBe(1);
    expect(triesOf(outcome)).toEqual(['nudge 12:20 sent', 'nudge 12:40 sent', 'nudge 13:00 sent']);
  });
});

describe('the checks notice', () => {
  const lostSweeps = { what: 'sweeps' as const, is: 'lost' as const };
  test.each<[string, string, RegExp, ScenarioFile]>([
    [
      'a nudge after an answer',
      'after-answer',
      /pushed again .*: answered$/,
      study({ events: [answers('12:15:00')] }),
    ],
    [
      'a nudge after an answer that came just before its decision',
      'after-answer',
      /pushed again .*: answered$/,
      study({ events: [answers('12:19:59')], latency: { relayMs: 4000 } }),
    ],
    [
      'a nudge after the notification was opened',
      'after-open',
      /pushed again .*: opened$/,
      study(
        { events: [chidi('12:15:00', { does: 'opens', survey: 'Diary' })] },
        { ...nudging, followUps: { every: 20, max: 3, stop: 'opened' } },
      ),
    ],
    ['one nudge too many', 'too-many', /got 5 pushes, and 4 at most were to come/, study()],
    [
      'a nudge in quiet hours',
      'in-quiet-hours',
      /sent 2027-06-08T12:20.*: quiet hours/,
      study({ members: asleep('12:15', '12:50') }),
    ],
    [
      'a nudge in a pause',
      'in-pause',
      /pushed again .*: paused/,
      study({ events: [chidi('12:15:00', { does: 'pauses', until: june(8, '12:50:00') })] }),
    ],
    [
      'a nudge past the expiry',
      'past-expiry',
      /pushed again .*: expired/,
      study({
        faults: [{ what: 'relay', is: 'down', from: june(8, '11:50:00'), until: june(8, '13:15:00') }],
      }),
    ],
    [
      'nudges that were missed and come all at once',
      'one-by-one',
      /got it twice: 2027-06-08T13:1/,
      study({ faults: [alarmsLost, { ...alarmsLost, ...lostSweeps }] }),
    ],
    ['a first nudge that never comes', 'loses-first', /a nudge was owed at 2027-06-08T12:20/, study()],
    ['a second nudge that never comes', 'loses-next', /a nudge was owed at 2027-06-08T12:40/, study()],
    [
      'nudges to come that nothing waits for',
      'loses-next',
      /owed at 2027-06-08T13:00.*, and nothing is to come/,
      study({ until: june(8, '12:30:00') }),
    ],
    [
      'nudges that a snooze does not move',
      'from-the-first-push',
      /the nudge of .* is none that is owed|got it twice/,
      study({ events: [snoozes('12:05:00', 30)] }),
    ],
    [
      'more nudges than are left behind a snooze',
      'all-again',
      /the nudge of .* is none that is owed/,
      study({ events: [snoozes('12:25:00', 10)] }),
    ],
    [
      'a reason that was none',
      'invents',
      /the nudge of 2027-06-08T12:20.* ended as paused .*, which was not so/,
      study(),
    ],
  ])('%s', async (_, what, message, file) => {
    expect((await outcomeOf(file)).violations).toEqual([]);
    fault = what;
    expect((await outcomeOf(file)).violations).toContainEqual(expect.stringMatching(message));
  });
});

/** Two occurrences in the morning; the first has nudges left when the second comes. */
const mornings = {
  ...nudging,
  recurrence: '* * * * *',
  ends: 1,
  windows: [
    { from: '09:00', to: '09:05' },
    { from: '10:00', to: '10:05' },
  ],
  followUps: { every: 45, max: 5, stop: 'opened' },
  expiresAfter: 300,
};

describe('the checks notice of what was kept', () => {
  const sent = ({ rows }: Stored) => rows.filter(({ state }) => state === 'sent');

  test('a snooze that is accepted and forgotten', async () => {
    const events = [snoozes('12:05:00', 30)];
    const forgotten = await spoilt(
      study({ events }, { ...nudging, followUps: null }),
      (stored, { relay }) => {
        for (const row of sent(stored)) row.followUps = [];
        relay.accepted.splice(1);
      },
    );
    expect(forgotten).toContainEqual(expect.stringMatching(/a snooze was owed at 2027-06-08T12:35/));
  });

  test('nudges that wait for another phone', async () => {
    const late = await spoilt(study(), (stored) => {
      for (const row of sent(stored)) row.settledAt = Number(row.settledAt) + 10 * 60_000;
    });
    expect(late).toContainEqual(
      expect.stringMatching(/reached a phone at .*, and is said to be sent at 2027-06-08T12:10/),
    );
  });

  test('a push that the history leaves out', async () => {
    const emptied = await spoilt(study(), (stored) => {
      for (const { followUps } of sent(stored)) for (const entry of followUps) entry.deliveries = [];
    });
    expect(emptied).toContainEqual(expect.stringMatching(/a push at .* that its history does not have/));
  });

  test('a nudge with a collapse id of its own', async () => {
    const named = await spoilt(study(), (_, { relay }) => {
      for (const push of relay.accepted.slice(1)) push.collapseId = 'of its own';
    });
    expect(named).toContainEqual(expect.stringMatching(/belongs to no occurrence/));
  });

  test('a nudge after a newer occurrence', async () => {
    const opens = chidi('10:15:00', { does: 'opens', survey: 'Diary' });
    const swapped = await spoilt(study({ events: [opens] }, mornings), (_, { relay }) => {
      const [first, ...others] = relay.accepted;
      const newer = others.find(({ collapseId }) => collapseId !== first?.collapseId);
      if (first && newer) relay.accepted.push({ ...first, at: newer.at + 60_000 });
    });
    expect(swapped).toContainEqual(expect.stringMatching(/got 2027-06-08\/000 after 2027-06-08\/001/));
  });
});
