import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * Due reminders are counted when they happen: reading the counts costs the same however many take part. A period costs in
 * proportion to its length: a date of the study, and a reminder of each participant of the page.
 */

const { measure } = countedApp();
const [few, many] = [15, 2_000];
const studies = new Map<number, Study>();
const day = 'from=2027-02-28&to=2027-02-28';
const year = 'from=2026-02-28&to=2027-02-28';
const dates = 366;
const last = Date.parse('2027-02-28T00:00:00.000Z');

/** Of the first participants: one that was sent on each of these days before the last of February, the first first. */
async function seed({ id, survey }: Study, members: number, from: number, to: number) {
  const { results } = await env.DB.prepare(
    "select user_id as user from member where investigation_id = ? and role = 'responder' order by user_id limit +?",
  )
    .bind(id, members)
    .all<{ user: string }>();
  const ages = Array.from({ length: from - to + 1 }, (_, n) => from - n);
  await seedPast(
    ages.flatMap((ago) =>
      results.map(({ user }) => ({
        ...{
          user,
          survey,
          on: new Date(last - ago * days).toISOString().slice(0, 10),
          state: 'sent' as const,
        },
        answeredAt: ago % 2 ? 2 : null,
      })),
    ),
  );
}

beforeAll(async () => {
  for (const size of [few, many]) {
    const study = await sleepStudy();
    await addMembers(study, size);
    // Beside them, the two responders of every study, and the one behind the page.
    await seed(study, few + 1, 365, 1);
    await seed(study, size + 2, 0, 0);
    studies.set(size, study);
  }
  // Whether a range of an index is the last one makes a difference of one row.
  await sleepStudy();
});

async function costOf(size: number, query: string, roundTrips = 1) {
  const { owner, id } = studies.get(size) as Study;
  const { answer, ...cost } = await measure(owner, 'GET', `/investigation/${id}/compliance${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(cost).toMatchObject({ roundTrips, rowsWritten: 0 });
  return { rowsRead: cost.rowsRead, body: answer.body };
}

test.each([
  ['a page of a day', `?${day}&limit=${few}`],
  ['a page of a year', `?${year}&limit=${few}`],
  ['a page of who needs attention', `?${year}&limit=${few}&attention=unreachable`],
  ['a day by date', `/daily?${day}`],
  ['a year by date', `/daily?${year}`],
  ['a page of the days of each', `/daily/participants?${year}&limit=${few}`],
])('%s costs the same for 15 and for 2,000 participants', async (_, query) => {
  const [small, large] = [await costOf(few, query), await costOf(many, query)];
  expect(Math.abs(large.rowsRead - small.rowsRead)).toBeLessThanOrEqual(2);
  expect(large.body.participants?.length).toBe(small.body.participants?.length);
});

test.each(['paused', 'silent'])(
  'nobody of 2,000 participants is %s: some rows of each are read',
  async (reason) => {
    const { rowsRead, body } = await costOf(many, `?${day}&attention=${reason}`);
    expect(body).toMatchObject({ participants: [] });
    expect(body.next).toBeUndefined();
    expect(rowsRead).toBeLessThanOrEqual(4 * many + 100);
  },
);

test('a year costs its dates, and of the participants of a page their reminders', async () => {
  // A date of the study once, and once as it is grouped by outcome; a reminder of the page, with the one behind it, once.
  const costs = { '/daily?': 2 * dates, [`?limit=${few}&`]: 2 * dates + (few + 1) * dates };
  for (const [path, covered] of Object.entries(costs)) {
    const [short, long] = [await costOf(many, path + day), await costOf(many, path + year)];
    expect(long.rowsRead - short.rowsRead).toBeLessThanOrEqual(covered);
  }
  const { body } = await costOf(many, `?limit=${few}&${year}`);
  const sent = (few + 1) * (dates - 1) + many + 2;
  expect(body.totals).toMatchObject({ due: sent, sent, answered: (few + 1) * 183 });
  expect(body.participants.filter(({ due }: { due: number }) => due === dates)).toHaveLength(few);
});

test('the days of a year cost the reminders of the participants of a page, read once and once as they are grouped', async () => {
  const path = `/daily/participants?limit=${few}&`;
  const [short, long] = [await costOf(many, path + day), await costOf(many, path + year)];
  expect(long.rowsRead - short.rowsRead).toBeLessThanOrEqual(2 * (few + 1) * dates);
  const sums = long.body.participants.map(({ due }: { due: number[] }) => due.reduce((sum, n) => sum + n, 0));
  expect(sums).toEqual(Array(few).fill(dates));
});

test('of 70 surveys each counts once, in slices of 15, so that nobody waits for all of them', async () => {
  const study = await sleepStudy();
  for (let n = 2; n <= 70; n++)
    expect(
      (await study.owner.post(`/investigation/${study.id}/survey`, { name: `Diary ${n}`, items: [] })).status,
    ).toBe(201);
  // Different numbers, so that no survey can stand for another.
  await env.DB.prepare(
    `insert into survey_compliance
      select id, '', date('2027-02-28', '-' || (rowid % 3) || ' days'), 'sent', rowid, 0, 0, 0, 0 from survey where investigation_id = ?`,
  )
    .bind(study.id)
    .run();
  const expected = await env.DB.prepare(
    `select sum(n) as due from survey_compliance where properties = '' and survey_id in (select id from survey where investigation_id = ?)`,
  )
    .bind(study.id)
    .first<{ due: number }>();
  const path = `/investigation/${study.id}/compliance`;
  const whole = await measure(study.owner, 'GET', `${path}?${year}`);
  expect(whole.answer.body.totals).toMatchObject(expected ?? {});
  expect(whole.roundTrips).toBe(5);
  const daily = await measure(study.owner, 'GET', `${path}/daily?${year}`);
  const dues = daily.answer.body.days.map(({ due }: { due: number }) => due);
  expect(dues.filter(Boolean)).toHaveLength(3);
  expect(dues.reduce((sum: number, due: number) => sum + due, 0)).toBe(expected?.due);
  expect(daily.roundTrips).toBe(5);
});
