import { expect, test } from 'vitest';
import { wallAt } from '../../simulator/oracle/clock.ts';
import { type GivenTime, slowStart, slowTime } from '../../simulator/oracle/course.ts';
import { createExpectations, type Expectations } from '../../simulator/oracle/expected.ts';
import { nextDue } from '../../simulator/oracle/next.ts';
import { counted } from '../../simulator/random-courses.ts';
import { createDraws, type Draws } from '../../simulator/random-draws.ts';
import { randomReminders, withWindows } from '../../simulator/random-reminders.ts';
import type { GivenReminders } from '../../simulator/records.ts';
import type { Database } from '../../src/db/database.ts';
import { answersSinceMs } from '../../src/reminders/answers.ts';
import {
  addEffects,
  type Before,
  noEffect,
  type PlannedChange,
  textOf,
} from '../../src/reminders/reminder-change.ts';
import { toReminders } from '../../src/reminders/state.ts';
import { occurrences } from '../../src/schedule/occurrences.ts';
import type { StoredReminders } from '../../src/studies/survey-schema.ts';
import { linkNames } from '../schedule/link-names.ts';
import { draws, seed } from '../support/seed.ts';

/*
 * A change of reminders does what was shown once it is saved, and what the oracle says. People, zones,
 * reminders and histories are random. The database's part, which finds the history, is tested by the front door.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...linkNames])];

/** A settled notification. */
interface Past {
  revision: number;
  key: string;
  counter: number;
  state: 'sent' | 'skipped' | 'invalidated';
  settledAt: number;
  timeZone: string;
}

interface Case {
  now: number;
  row: Before;
  given: GivenReminders;
  change: PlannedChange;
  past: Past[];
  again: boolean;
}

/** Planted faults, which must show. */
interface Faults {
  /** The oracle forgets earlier pushes. */
  forgetful?: boolean;
  /** The saved reminders forget them. */
  careless?: boolean;
}

const changes = draws(2_000);

test(`${changes} random changes do what was shown, and what the oracle says`, async () => {
  const { wrong, met } = compare(seed, changes);
  console.log(JSON.stringify(met));
  expect(wrong.slice(0, 5)).toEqual([]);
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(changes / 100);
});

test.each<[string, Faults]>([
  ['the oracle', { forgetful: true }],
  ['what is saved', { careless: true }],
])('a planted fault in %s is noticed', (_, faults) => {
  expect(compare(seed, 800, faults).wrong.length).toBeGreaterThan(8);
});

function compare(first: number, count: number, faults: Faults = {}) {
  const wrong: string[] = [];
  const met = {
    unchanged: 0,
    moved: 0,
    added: 0,
    removed: 0,
    againToday: 0,
    windows: 0,
    study: 0,
    days: 0,
    pick: 0,
  };
  let expectations = createExpectations(0);
  for (let n = first; n < first + count; n++) {
    // Its memory grows with the zones and dates.
    if (n % 10_000 === 0) expectations = createExpectations(0);
    const one = randomCase(createDraws(n ^ 0xc4a6e));
    const [shown, saved, expected] = [
      shownOf(one),
      savedOf(one, faults),
      expectedOf(expectations, one, faults),
    ];
    const found = JSON.stringify(shown);
    if (found !== JSON.stringify(expected) || JSON.stringify(shown.after) !== JSON.stringify(saved))
      wrong.push(`${n}: shown ${found}, saved ${saved}, expected ${JSON.stringify(expected)}`);
    met[kindOf(shown)]++;
    if (shown.againToday) met.againToday++;
    if (one.change.reminders?.windows) met.windows++;
    if (one.change.reminders?.days) met.days++;
    if (one.change.reminders?.pick) met.pick++;
    if (one.change.reminders?.clock === 'study') met.study++;
  }
  return { wrong, met };
}

interface Found {
  before: number[];
  after: number[];
  againToday: boolean;
}

function kindOf({ before, after }: Found) {
  if (JSON.stringify(before) === JSON.stringify(after)) return 'unchanged';
  if (before.length === 0) return 'added';
  return after.length === 0 ? 'removed' : 'moved';
}

const contextAt = (now: number) => ({ now, db: {} as Database, log: () => {} });

/** As the request computes it; it shows only people who are concerned. */
function shownOf({ now, row, change, given }: Case): Found {
  const effect = noEffect();
  const isSame = JSON.stringify(change.reminders) === JSON.stringify(given);
  addEffects(effect, contextAt(now), [row], { ...change, isSame });
  const [one] = effect.page;
  const before = one?.before ?? comingOf(now, row);
  return { before, after: one?.after ?? before, againToday: effect.againToday === 1 };
}

/** As it is computed from the rows that are there once the change is saved. */
function savedOf({ now, row, change, past, given }: Case, { careless }: Faults): number[] {
  if (JSON.stringify(change.reminders) === JSON.stringify(given)) return comingOf(now, row);
  const revision = row.revision + 1;
  const isFresh = !change.again && !careless;
  return comingOf(now, {
    ...row,
    reminders: textOf(change.reminders),
    revision,
    remindersSince: now,
    pushed: isFresh ? pushedBefore(past, revision) : null,
  });
}

function comingOf(now: number, row: Before): number[] {
  const [state] = toReminders(contextAt(now), [row]);
  const found: number[] = [];
  if (state) for (const { dueAt } of occurrences(state, now)) if (found.push(dueAt) === 3) break;
  return found;
}

function expectedOf(expectations: Expectations, one: Case, { forgetful }: Faults): Found {
  const { now, row, change, given, past, again } = one;
  const dates = Object.fromEntries(
    Object.entries(parsed<Record<string, [string]>>(row.dates) ?? {}).map(([name, [date]]) => [name, date]),
  );
  const days = parsed<{ participationDays: number }>(row.course)?.participationDays ?? null;
  const inputs = { timeZone: row.timeZone, studyZone: row.studyZone, time: row.time };
  const standing = (of: GivenReminders, revision: number, since: number) => ({
    ...inputs,
    given: of,
    start: of?.type === 'fixed' ? slowStart(of.from, { ...row, dates }) : row.startsOn,
    participation: slowTime({ joinedOn: row.joinedOn, own: parsed<GivenTime>(row.participation), days }),
    draw: { secret: row.windowSecret ?? '', user: row.user, revision },
    since: Math.max(since, row.joinedAt, of?.type === 'fixed' ? (row.downloadedAt ?? 0) : 0),
    settled: undefined,
  });
  const datesOf = (rows: Past[]) =>
    forgetful
      ? []
      : rows
          .filter(({ state }) => state === 'sent')
          .map(({ settledAt, timeZone }) => wallAt(settledAt, timeZone).slice(0, 10));
  const own = past.filter(({ revision }) => revision === row.revision);
  const [settled] = newestFirst(own.filter(({ state }) => state !== 'invalidated'));
  const present = standing(given, row.revision, row.remindersSince);
  const before = nextDue(
    expectations,
    {
      ...present,
      since: Math.max(now, present.since),
      settled: settled && { ...settled, on: settled.key, reason: null },
      reminded: again ? [] : datesOf(past.filter(({ revision }) => revision < row.revision)),
    },
    3,
  );
  if (JSON.stringify(change.reminders) === JSON.stringify(given))
    return { before, after: before, againToday: false };
  const next = standing(change.reminders as GivenReminders, row.revision + 1, now);
  const reminded = datesOf(past);
  const [anew] = nextDue(expectations, { ...next, reminded: [] }, 1);
  const after = nextDue(expectations, { ...next, reminded: change.again ? [] : reminded }, 3);
  const date = anew === undefined ? '' : wallAt(anew, row.timeZone).slice(0, 10);
  return { before, after, againToday: date !== '' && reminded.some((earlier) => earlier >= date) };
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text));

/** Dates of the person's own, their time, and the time of the study, as they are stored. */
function randomCourse({ below, chance }: Draws, now: number) {
  const near = () => new Date(now + (below(21) - 10) * dayMs).toISOString().slice(0, 10);
  const at = now - below(20) * dayMs - 1;
  const [from, until] = [near(), near()].sort();
  const bounds = chance(0.5) ? { from } : chance(0.5) ? { until } : { from, until };
  return {
    dates: JSON.stringify({ surgery: [near(), at, at], ...(chance(0.5) && { visit: [near(), at, at] }) }),
    participation: chance(0.2) ? JSON.stringify({ ...bounds, at }) : null,
    course: chance(0.2) ? JSON.stringify({ dates: [], participationDays: 1 + below(60), since: at }) : null,
  };
}

function randomCase(draws: Draws): Case {
  const { below, one, chance } = draws;
  const now = Date.UTC(2026, 0, 1) + below(1_060) * dayMs + below(24 * 60) * 60_000 + below(60_000);
  const reminders = () => stored(draws, randomReminders(draws));
  const given = chance(0.05) ? null : reminders();
  const others = chance(0.1) ? null : reminders();
  const change = {
    reminders: chance(0.05) ? given : others,
    again: chance(0.2),
    limit: 1,
  };
  const [timeZone, studyZone] = [one(zones), one(zones)];
  const revision = below(4);
  const past = randomPast(draws, { now, timeZone, revision, hasWindows: given?.windows !== undefined });
  // The reminders changed after the last row of those before, and before the first of their own.
  const earliest = past.findLast((row) => row.revision < revision)?.settledAt ?? now - 40 * dayMs;
  const latest = past.find((row) => row.revision === revision)?.settledAt ?? now;
  const remindersSince = earliest + 1 + below(latest - earliest - 1);
  const again = chance(0.1);
  const downloadedAt = chance(0.1) ? null : now - below(12 * 24) * hourMs;
  const isRecent = remindersSince > now - answersSinceMs && !again;
  const joinedAt = now - below(60 * 24) * hourMs;
  const row: Before = {
    user: `user-${below(1000)}`,
    survey: 'survey',
    investigation: 'study',
    combination: null,
    member: 1,
    ...{ for: null, properties: null, blinded: 0, barred: 0 },
    joinedAt,
    joinedOn: wallAt(joinedAt, timeZone).slice(0, 10),
    ...randomCourse(draws, now),
    time: chance(0.3) ? draws.wallTime() : null,
    quietFrom: null,
    quietTo: null,
    pausedUntil: 0,
    timeZone,
    studyZone,
    startsOn: new Date(now + (below(50) - 40) * dayMs).toISOString().slice(0, 10),
    activeSince: 0,
    frozen: 0,
    archived: 0,
    reminders: textOf(given),
    windowSecret: 'a-secret-of-the-survey',
    revision,
    remindersSince,
    downloadedAt,
    downloadedOn: downloadedAt === null ? null : wallAt(downloadedAt, timeZone).slice(0, 10),
    next: null,
    last: lastOf(past),
    answers: '[]',
    pushed: isRecent ? pushedBefore(past, revision) : null,
    translations: null,
    pushedSoFar: pushedBefore(past, revision + 1),
    triggers: '[]',
    triggersAfter: '[]',
  };
  return { now, row, given: given as unknown as GivenReminders, change, past, again };
}

function stored(draws: Draws, plain: ReturnType<typeof randomReminders>): StoredReminders {
  const drawn = draws.chance(0.15) ? withWindows(draws, plain) : plain;
  const own = draws.chance(0.4) ? counted(draws, drawn, true) : drawn;
  const clock = draws.chance(0.25) ? { clock: 'study' as const } : {};
  return { ...own, ...clock } as StoredReminders;
}

/** Up to three settled notifications of the last days, each on a later date than the one before. */
function randomPast(
  { below, one, chance }: Draws,
  {
    now,
    timeZone,
    revision,
    hasWindows,
  }: { now: number; timeZone: string; revision: number; hasWindows: boolean },
): Past[] {
  const times = Array.from({ length: below(4) }, () => now - below(50 * 60) * 60_000 - 1).sort(
    (a, b) => a - b,
  );
  const past: Past[] = [];
  let least = below(revision + 1);
  let date = '';
  for (const settledAt of times) {
    const zone = chance(0.7) ? timeZone : one(zones);
    const on = wallAt(settledAt, zone).slice(0, 10);
    least += below(revision - least + 1);
    if (on <= date) continue;
    date = on;
    past.push({
      revision: least,
      key: hasWindows ? `${on}/000` : on,
      counter: below(4),
      state: one(['sent', 'sent', 'sent', 'skipped', 'invalidated']),
      settledAt,
      timeZone: zone,
    });
  }
  return past;
}

const newestFirst = (past: Past[]) =>
  past.toSorted((a, b) => b.revision - a.revision || (a.key < b.key ? 1 : -1));

/** As SQL has the newest one that counts: nothing is pushed again. */
function lastOf(past: Past[]): string | null {
  const [last] = newestFirst(past).filter(({ state }) => state !== 'invalidated');
  if (!last) return null;
  const { revision, key, counter, state, settledAt, timeZone } = last;
  return JSON.stringify({
    ...{ id: `${revision}/${key}`, revision, key, counter, dueAt: settledAt, timeZone, pushes: null },
    ...{ state, reason: null, settledAt, openedAt: null, answeredAt: null },
    ...{ nextFollowUpAt: null, retryAt: null, snoozedUntil: null },
  });
}

/** As SQL has the last pushes before a revision. */
function pushedBefore(past: Past[], before: number): string {
  const sent = newestFirst(past).filter(({ revision, state }) => revision < before && state === 'sent');
  return JSON.stringify(sent.slice(0, 3).map(({ settledAt, timeZone }) => [settledAt, timeZone]));
}
