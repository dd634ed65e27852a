import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bookedIn, type Counts, count, datesOf } from '../../simulator/oracle/counts.ts';
import { listCompliance, listParticipantDays, readDailyCompliance } from '../../src/compliance/compliance.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { purgeNotifications } from '../../src/reminders/retention.ts';
import { carryOutOn, readOn } from '../support/database-rows.ts';
import { Random } from '../support/random.ts';
import { insertPast, type Past, type Reminder, selectReminders } from '../support/reminder-rows.ts';
import { seed } from '../support/seed.ts';

/*
 * Compliance equals a recount of the notifications, whatever happens to them, in any order. Purged ones are kept here,
 * and counted like the rest. Of a site it equals a recount of those who were there when they were reminded.
 */

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');
/** Dates with kept notifications, while older ones are purged. */
const dates = 60;
const dateOf = (day: number) => new Date(start + day * dayMs).toISOString().slice(0, 10);

const study = 'd'.padEnd(32, '0');
const owner = 'a'.padEnd(32, '0');
/** Of Lyon alone. */
const monitor = 'c'.padEnd(32, '0');
const sites = ['lyon', 'paris'] as const;
type Site = (typeof sites)[number];
const surveys = ['51', '52', '53'].map((name) => name.padEnd(32, '0'));
const users = ['b1', 'b2', 'b3'].map((name) => name.padEnd(32, '0'));

interface Row {
  user: string;
  survey: string;
  revision: number;
  on: string;
  state: string;
  reason: string | null;
  shown: boolean;
  opened: boolean;
  answered: boolean;
  late: boolean;
  /** The site of the person when it got an outcome. */
  site: Site | undefined;
  purged: boolean;
}

const outcomes: [state: string, reason: string | null][] = [
  ['sent', null],
  ['sent', null],
  ['failed', 'relay'],
  ['skipped', 'no-device'],
  ['skipped', 'expired'],
  ['skipped', 'answered'],
  ['invalidated', 'survey-archived'],
];

function occurrence({ user, survey, revision, on }: Row) {
  const [date = '', slot] = on.split('/');
  return { user, survey, revision, on: date, ...(slot && { slot: Number(slot) }) };
}

const asPast = (row: Row): Past => ({
  ...occurrence(row),
  state: row.state as Past['state'],
  reason: row.reason,
  dueAt: Date.parse(row.on.slice(0, 10)),
  shownAt: row.shown ? 1 : null,
  openedAt: row.opened ? 1 : null,
  answeredAt: row.answered ? 1 : null,
  answeredLate: row.late,
});

const isCounted = ({ state }: Row) => state !== 'invalidated';

/** A study of an owner, who takes part while they have a phone, and three responders with three surveys. */
async function setUpRecount(db: Database) {
  const everyone = JSON.stringify([owner, ...users]);
  await db.run(sql`insert into investigation (id, name, time_zone, starts_on, created_at, active_since, creator_id, revision_id, created_hash)
    values (${study}, 'Sleep', 'UTC', '2026-01-01', 0, 0, ${owner}, '', '')`);
  await db.run(
    sql`insert into user (id, name, created_at) select value, 'Somebody', 0 from json_each(${everyone})`,
  );
  await db.run(sql`insert into survey (id, investigation_id, name, items, reminders_since, created_at, revision_id, created_hash)
    select value, ${study}, 'Diary', '[]', 0, 0, '', '' from json_each(${JSON.stringify(surveys)})`);
  await db.run(sql`insert into member (investigation_id, user_id, role, created_at)
    select ${study}, value, iif(value = ${owner}, 'owner', 'responder'), 0 from json_each(${everyone})`);
  await db.run(sql`update investigation set course = json_object('dates', json('[]'), 'properties', json_array(
    json_object('name', 'site', 'values', json(${JSON.stringify(sites)})))) where id = ${study}`);
  await db.run(sql`insert into user (id, name, created_at) values (${monitor}, 'Mona', 0)`);
  await db.run(sql`insert into member (investigation_id, user_id, role, created_at, scope)
    values (${study}, ${monitor}, 'monitor', 0, '{"site":["lyon"]}')`);
}

/** Random steps, with a recount after every tenth. Returns the first difference, with the steps before it. */
async function recountRandomly(db: Database, random: Random, steps: number): Promise<string[]> {
  const rows = new Map<string, Row>();
  const members = new Set(users);
  const phones = new Set<string>();
  const archived = new Set<string>();
  const siteOf = new Map<string, Site>();
  let now = start + 400 * dayMs;
  const firstKept = () => (now - start) / dayMs - 400;
  const done: string[] = [];

  const write = async (some: Row[]) => {
    for (const row of some) {
      const before = rows.get(keyOf(row));
      const isCountedBefore = before !== undefined && isCounted(before);
      rows.set(keyOf(row), { ...row, site: isCountedBefore ? before.site : siteOf.get(row.user) });
    }
    await carryOutOn(db, insertPast(some.map(asPast)));
  };
  const anyRow = (): Row => {
    const [state, reason] = random.pick(outcomes);
    const on = `${dateOf(firstKept() + random.int(dates))}${random.pick(['', '/001'])}`;
    const answered = random.chance(0.1);
    const late = answered && random.chance(0.5);
    const noticed = { shown: random.chance(0.3), opened: random.chance(0.2), answered, late };
    const pair = {
      user: random.pick([owner, ...users]),
      survey: random.pick(surveys),
      revision: random.int(2),
    };
    const row = { ...pair, on, state, reason, ...noticed, site: undefined, purged: false };
    // Dates that are purged are 400 days old.
    return rows.get(keyOf(row))?.purged ? anyRow() : row;
  };
  /** Any that is kept. */
  const anyKept = (): Row[] => {
    const kept = [...rows.values()].filter(({ purged }) => !purged);
    return kept.length === 0 ? [] : [random.pick(kept)];
  };
  const actions: Record<string, () => Promise<unknown>> = {
    settle: () => write([anyRow()]),
    'an outage': () => {
      const some = Array.from({ length: 1 + random.int(4) }, anyRow);
      return write([...new Map(some.map((row) => [keyOf(row), row])).values()]);
    },
    react: () => {
      const answered = random.chance(0.4);
      const reaction = random.pick([
        { shown: random.chance(0.4) },
        { opened: random.chance(0.4) },
        { answered, late: answered && random.chance(0.5) },
      ]);
      return write(anyKept().map((row) => ({ ...row, ...reaction })));
    },
    'another outcome': () => {
      const [state, reason] = random.pick(outcomes);
      return write(anyKept().map((row) => ({ ...row, state, reason })));
    },
    'leave or come back': async () => {
      const user = random.pick(users);
      await db.run(
        members.has(user)
          ? sql`delete from member where user_id = ${user}`
          : sql`insert into member (investigation_id, user_id, role, created_at) values (${study}, ${user}, 'responder', 0)`,
      );
      // Those who come back have no site, and those who leave keep theirs.
      if (!members.delete(user)) {
        members.add(user);
        siteOf.delete(user);
      }
    },
    'another site': async () => {
      const user = random.pick([owner, ...[...members].sort()]);
      const at = random.pick([...sites, undefined]);
      await db.run(sql`update member set properties = ${at ? JSON.stringify({ site: [at, now] }) : null}
        where investigation_id = ${study} and user_id = ${user}`);
      if (at) siteOf.set(user, at);
      else siteOf.delete(user);
    },
    'a phone comes or goes': async () => {
      const user = random.pick([owner, ...users]);
      await db.run(
        phones.has(user)
          ? sql`update device set user_id = null, enabled = 0 where user_id = ${user}`
          : sql`insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
              select lower(hex(randomblob(16))), ${user}, 'android', ${user}, 'endpoint', 'UTC', ${now}, ${now}, ${now}`,
      );
      if (!phones.delete(user)) phones.add(user);
    },
    archive: async () => {
      const survey = random.pick(surveys);
      await db.run(
        sql`update survey set archived_at = ${archived.has(survey) ? null : 1} where id = ${survey}`,
      );
      if (!archived.delete(survey)) archived.add(survey);
    },
    purge: async () => {
      now += random.int(3) * dayMs;
      await purgeNotifications({ db, now }, [owner, ...users]);
      const keys = new Set((await readOn<Reminder>(db, selectReminders())).map(keyOf));
      for (const [key, row] of rows) row.purged = !keys.has(key);
    },
  };

  for (let step = 1; step <= steps; step++) {
    const name = random.pick(Object.keys(actions));
    done.push(name);
    await actions[name]?.();
    if (step % 10 > 0) continue;
    const wrong = await compare(db, { random, now, rows: [...rows.values()], members, phones, siteOf });
    if (wrong.length > 0) return [...wrong, done.slice(-10).join(', ')];
  }
  return [];
}

const keyOf = ({ user, survey, revision, on }: Pick<Row, 'user' | 'survey' | 'revision' | 'on'>) =>
  user + survey + revision + on;

interface State {
  random: Random;
  now: number;
  rows: Row[];
  members: ReadonlySet<string>;
  phones: ReadonlySet<string>;
  siteOf: ReadonlyMap<string, Site>;
}

async function compare(
  db: Database,
  { random, now, rows, members, phones, siteOf }: State,
): Promise<string[]> {
  const last = (now - start) / dayMs - 400 + dates;
  const first = Math.max(0, last - 1 - random.int(2 * dates));
  const asked = {
    investigation: study,
    from: dateOf(first),
    to: dateOf(first + random.int(last - first)),
    survey: random.chance(0.5) ? random.pick(surveys) : undefined,
    property: random.chance(0.5) ? { site: [random.pick([...sites])] } : undefined,
  };
  const context = { db, now, actor: random.pick([owner, monitor]) };
  const isAsked = (at: Site | undefined) =>
    (context.actor === owner || at === 'lyon') && (!asked.property || asked.property.site[0] === at);
  const { totals, rows: found } = await listCompliance(context, asked, { limit: 10, totals: true });
  const daily = await readDailyCompliance(context, asked);
  const { rows: ofUsers } = await listParticipantDays(context, asked, { limit: 10 });
  const counted = rows.filter(isCounted);
  const booked = bookedIn(counted, asked);
  const ofSite = booked.filter(({ site }) => isAsked(site));
  const wrong: string[] = [];
  const check = (what: string, is: unknown, expected: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(expected))
      wrong.push(
        `${asked.from} to ${asked.to}: ${what}: ${JSON.stringify(is)}, expected ${JSON.stringify(expected)}`,
      );
  };
  check(
    'the participants',
    found.map(({ user }) => user),
    [owner, ...users].filter(
      (user) => (user === owner ? phones : members).has(user) && isAsked(siteOf.get(user)),
    ),
  );
  check('the totals', inOrder(totals), inOrder(count(ofSite)));
  for (const date of datesOf(asked))
    check(
      date,
      inOrder(daily.get(date) ?? count([])),
      inOrder(count(ofSite.filter(({ on }) => on.startsWith(date)))),
    );
  check(
    'the participants of the days',
    ofUsers.map(({ user }) => user),
    found.map(({ user }) => user),
  );
  for (const { user, days } of ofUsers)
    check(
      `the days of ${user}`,
      days.toSorted(),
      datesOf(asked).flatMap((date) => {
        const of = count(booked.filter((row) => row.user === user && row.on.startsWith(date)));
        const { due, sent, failed, opened, answered, answeredLate } = of;
        return due > 0 ? [[date, due, sent, failed, opened, answered, answeredLate]] : [];
      }),
    );
  for (const { user, counts, attention } of found) {
    check(user, inOrder(counts), inOrder(count(booked.filter((row) => row.user === user))));
    check(`${user} is unreachable`, attention.includes('unreachable'), !phones.has(user));
  }
  return wrong;
}

function inOrder({ skipped, ...counts }: Counts) {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return [...entries, Object.entries(skipped).sort(([a], [b]) => (a < b ? -1 : 1))];
}

test.each([1, 2, 3])('in a file, compliance is what a recount says, whatever happens (%d)', async (n) => {
  const { db, client, close } = await openSqlite(':memory:');
  await migrate(client);
  await setUpRecount(db);
  expect(await recountRandomly(db, new Random(seed + n), 1_500)).toEqual([]);
  close();
});
