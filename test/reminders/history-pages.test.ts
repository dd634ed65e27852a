import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { addSurveys } from '../support/worker/bulk.ts';
import { days, hours, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { daily } from '../support/worker/reminders.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

/*
 * A page of the history costs what it returns and a few rows for each survey, and for each revision of its reminders of
 * which the person has notifications: 10,000 of them or a hundred.
 */

const { measure } = countedApp();
const surveyCount = 20;
const [few, many] = [100, 10_000];
let study: Study;
let surveys: string[];
const people = new Map<number, Person>();

/** As many of one person, of all surveys and two revisions, four a date; the newest is of yesterday. */
const seed = (user: string, count: number) =>
  seedPast(
    Array.from({ length: count }, (_, i) => {
      const nth = Math.floor(i / surveyCount);
      const [ago, slot] = [1 + Math.floor(nth / 4), 3 - (nth % 4)];
      const midnight = startOfTests - 8 * hours - ago * days;
      return {
        ...{ user, survey: surveys[i % surveyCount] ?? '', revision: nth % 8 < 4 ? 1 : 0, counter: i },
        ...{ on: new Date(midnight).toISOString().slice(0, 10), slot, state: 'skipped', reason: 'no-device' },
        dueAt: midnight + (20 - 3 * (nth % 4)) * hours + (i % surveyCount),
      } as const;
    }),
  );

beforeAll(async () => {
  study = await sleepStudy();
  await addSurveys(study, surveyCount, { ...daily, ends: null });
  // Nothing is planned beside what is seeded.
  await env.DB.exec('update survey set reminders = null');
  const { results } = await env.DB.prepare('select id from survey where investigation_id = ? and id <> ?')
    .bind(study.id, study.survey)
    .all<{ id: string }>();
  surveys = results.map(({ id }) => id);
  for (const count of [few, many]) {
    const person = await signUp(`Person of ${count}`);
    const join = { user: person.id, role: 'responder' };
    expect((await study.owner.post(`/investigation/${study.id}/member`, join)).status).toBe(201);
    await seed(person.id, count);
    people.set(count, person);
  }
  // Whether a range of the table is the last one makes a difference of one row.
  await signUp('Last');
});

interface Row {
  identifier: string;
  survey: string;
  dueAt: string;
}

/** The history as its person reads it, and as the owner reads that of a survey and of the study. */
const routes: [name: string, of: (person: Person) => [Person, string]][] = [
  ['/user/:id', (person) => [person, '/user/me/notifications?']],
  ['/survey/:id', (person) => [study.owner, `/survey/${surveys[7]}/notifications?user=${person.id}&`]],
  [
    '/investigation/:id',
    (person) => [study.owner, `/investigation/${study.id}/notifications?user=${person.id}&`],
  ],
];

describe.each(routes)('%s/notifications', (_, of) => {
  test('costs the same with a hundred notifications and with 10,000, also far back', async () => {
    const costs: number[] = [];
    const costOf = async (count: number, query: string) => {
      const [by, path] = of(people.get(count) as Person);
      const { answer, ...cost } = await measure(by, 'GET', `${path}limit=4${query}`);
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(answer.body.notifications).toHaveLength(4);
      costs.push(cost.rowsRead);
      return answer.body;
    };
    await costOf(few, '');
    const { next, notifications } = await costOf(many, '');
    await costOf(many, `&cursor=${next}`);
    const back = await costOf(many, `&cursor=${await farBack(next)}`);
    expect(back.notifications[0].dueAt < '2027').toBe(true);
    expect(notifications[0].dueAt > '2027').toBe(true);
    const [least, most] = [Math.min(...costs), Math.max(...costs)];
    // Of each series that a page goes on with, the dates between its cursor and the days around it.
    expect(most - least).toBeLessThanOrEqual(2 * surveyCount * 5);
    expect(most).toBeLessThanOrEqual(60 + 2 * surveyCount * 12);
  });
});

/** The cursor, as if a page had ended three months before. */
async function farBack(cursor: string) {
  const [at, survey, key, revision] = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')));
  const date = new Date(at - 90 * days).toISOString().slice(0, 10);
  const text = JSON.stringify([at - 90 * days, survey, `${date}${key.slice(10)}`, revision]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const walk = async (by: Person, path: string, limit: number) => {
  const found: Row[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await by.get(`${path}limit=${limit}${cursor}`);
    found.push(...body.notifications);
    if (!body.next) return found;
    cursor = `&cursor=${body.next}`;
  }
};

describe('pages of any size', () => {
  test('have each notification once, newest first', async () => {
    const person = people.get(few) as Person;
    const whole = await walk(person, '/user/me/notifications?', 1000);
    expect(whole).toHaveLength(few);
    expect(whole.map(({ dueAt }) => dueAt)).toEqual(
      whole
        .map(({ dueAt }) => dueAt)
        .toSorted()
        .reverse(),
    );
    for (const limit of [1, 7, 33])
      expect(await walk(person, '/user/me/notifications?', limit)).toEqual(whole);
  });

  test('begin before an instant, if one is given', async () => {
    const person = people.get(few) as Person;
    const path = `/investigation/${study.id}/notifications?user=${person.id}&`;
    const whole = await walk(study.owner, path, 1000);
    for (const n of [0, 1, 40]) {
      const before = whole[n]?.dueAt ?? '';
      expect(await walk(study.owner, `${path}before=${before}&`, 7)).toEqual(
        whole.filter(({ dueAt }) => dueAt < before),
      );
    }
    expect((await study.owner.get(`${path}before=yesterday`)).status).toBe(400);
  });

  test('have the reminders of one survey since an instant for their person, if asked for', async () => {
    const person = people.get(few) as Person;
    const whole = await walk(person, '/user/me/notifications?', 1000);
    const survey = surveys[7] ?? '';
    const since = whole[40]?.dueAt ?? '';
    const own = whole.filter((row) => row.survey === survey);
    const recent = own.filter(({ dueAt }) => dueAt >= since);
    expect([own.length, recent.length]).toEqual([few / surveyCount, 2]);
    for (const limit of [1, 2, 1000]) {
      const path = `/user/me/notifications?survey=${survey}&`;
      expect(await walk(person, path, limit)).toEqual(own);
      expect(await walk(person, `${path}since=${since}&`, limit)).toEqual(recent);
    }
    const others = await (people.get(many) as Person).get('/user/me/notifications?survey=none');
    expect(others.status).toBe(400);
  });

  test('since an instant cost what was due since then, however long the past is', async () => {
    const since = new Date(startOfTests - 3 * days).toISOString();
    const path = `/user/me/notifications?survey=${surveys[7]}&since=${since}`;
    const [little, much] = [
      await measure(people.get(few) as Person, 'GET', path),
      await measure(people.get(many) as Person, 'GET', path),
    ];
    expect(much.answer.body.notifications.length).toBeGreaterThan(4);
    expect(much.rowsRead).toBeLessThanOrEqual(little.rowsRead + 4 * surveyCount * 12);
  });

  test('also of somebody whose travels put a later date before an earlier one', async () => {
    const eve = await signUp('Eve');
    await study.owner.post(`/investigation/${study.id}/member`, { user: eve.id, role: 'responder' });
    // At the hours after the first, each of the next slot or date: some go back, and some are those of another survey.
    const shifts = [0, 20, 10, 40, 40, 12, 60, 80, 70, 75, 90];
    await seedPast(
      [surveys[3] ?? '', surveys[11] ?? '', study.survey].flatMap((survey, n) =>
        shifts.map((shift, slot) => ({
          ...{
            user: eve.id,
            survey,
            revision: n % 2,
            on: `2027-02-0${1 + Math.floor(slot / 3)}`,
            slot: slot % 3,
          },
          ...{
            dueAt: startOfTests - 28 * days + (shift + 10 * n * (slot % 2)) * hours,
            state: 'sent' as const,
          },
        })),
      ),
    );
    const whole = await walk(eve, '/user/me/notifications?', 1000);
    expect(new Set(whole.map(({ identifier }) => identifier)).size).toBe(3 * shifts.length);
    for (const limit of [1, 2, 3, 5, 8])
      expect(await walk(eve, '/user/me/notifications?', limit)).toEqual(whole);
  });

  test('a cursor before 1970 is refused', async () => {
    const text = btoa(JSON.stringify([-1, 's', '2027-01-01', 0])).replaceAll('=', '');
    const answer = await (people.get(few) as Person).get(`/user/me/notifications?cursor=${text}`);
    expectProblem(answer, 'request.invalid', ['?cursor']);
  });
});
