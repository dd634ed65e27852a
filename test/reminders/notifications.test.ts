import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { days, hours, minutes, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { daily, history, pendingOf } from '../support/worker/reminders.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

/* Chidi's reminders in the study of sleep, which has two surveys, and in another study that Ada owns too. */

let study: Study;
let mood: string;
let chidi: Person;
const year = 365;

/** One a day, the newest yesterday; those of an hour are of one survey. */
const seed = (user: string, survey: string, hour: number, count: number) =>
  seedPast(
    Array.from({ length: count }, (_, n) => {
      const dueAt = startOfTests - 8 * hours - (n + 1) * days + hour * hours;
      const on = new Date(dueAt).toISOString().slice(0, 10);
      return { user, survey, on, dueAt, state: 'skipped', reason: 'no-device' } as const;
    }),
  );

beforeAll(async () => {
  study = await sleepStudy();
  chidi = study.responder;
  const survey = await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Mood', items: [] });
  mood = survey.body.identifier;
  const { body: other } = await study.owner.post('/investigation', { name: 'Naps' });
  await study.owner.post(`/investigation/${other.identifier}/member`, { user: chidi.id, role: 'responder' });
  const naps = await study.owner.post(`/investigation/${other.identifier}/survey`, {
    name: 'Nap',
    items: [],
  });
  await seed(chidi.id, study.survey, 9, 3);
  await seed(chidi.id, mood, 20, 3);
  await seed(chidi.id, naps.body.identifier, 12, year);
  await seed(study.other.id, mood, 12, year);
});

const path = () => `/investigation/${study.id}/notifications?user=${chidi.id}`;
const shownOf = (rows: { survey: string; user: string; dueAt: string }[]) =>
  rows.map(({ survey, dueAt }) => [survey === mood ? 'mood' : 'diary', dueAt]);
const all = [
  ['mood', '2027-02-28T20:00:00.000Z'],
  ['diary', '2027-02-28T09:00:00.000Z'],
  ['mood', '2027-02-27T20:00:00.000Z'],
  ['diary', '2027-02-27T09:00:00.000Z'],
  ['mood', '2027-02-26T20:00:00.000Z'],
  ['diary', '2027-02-26T09:00:00.000Z'],
];

test("a participant's reminders of a study are those of all its surveys, newest first, in pages", async () => {
  const whole = await study.editor.get(path());
  expect(whole.body.investigation).toBe(`investigation/${study.id}`);
  expect(shownOf(whole.body.notifications)).toEqual(all);
  const first = await study.editor.get(`${path()}&limit=4`);
  expect(shownOf(first.body.notifications)).toEqual(all.slice(0, 4));
  expect(first.headers.get('link')).toContain('rel="next"');
  const second = await study.editor.get(`${path()}&limit=4&cursor=${first.body.next}`);
  expect(shownOf(second.body.notifications)).toEqual(all.slice(4));
  expect(second.body.next).toBeUndefined();
});

test('they are the entries that the lists of the surveys have', async () => {
  const lists = await Promise.all(
    [study.survey, mood].map((id) => study.owner.get(`/survey/${id}/notifications?user=${chidi.id}`)),
  );
  const whole = await study.owner.get(path());
  expect(new Set(whole.body.notifications)).toEqual(new Set(lists.flatMap(({ body }) => body.notifications)));
});

test('`me` is the caller', async () => {
  const own = await study.owner.get(`/investigation/${study.id}/notifications?user=me`);
  expect(own.body.notifications).toEqual([]);
  expect((await study.owner.get(`/investigation/${study.id}/notifications`)).status).toBe(400);
});

test('an archived survey keeps its own, and a deleted study has none', async () => {
  const gone = await sleepStudy();
  await seed(gone.responder.id, gone.survey, 9, 1);
  const of = `/investigation/${gone.id}/notifications?user=${gone.responder.id}`;
  await gone.owner.patch(`/survey/${gone.survey}`, { status: 'archived' });
  expect((await gone.owner.get(of)).body.notifications).toHaveLength(1);
  await gone.owner.patch(`/investigation/${gone.id}`, { status: 'archived' });
  expect((await gone.owner.get(of)).body.notifications).toHaveLength(1);
  expect((await gone.owner.delete(`/investigation/${gone.id}`)).status).toBe(204);
  expect((await gone.owner.get(of)).status).toBe(404);
});

test('they cost what they are, and a look at what the person has had in other studies since then', async () => {
  const { answer, ...cost } = await countedApp().measure(study.owner, 'GET', path());
  expect(answer.body.notifications).toHaveLength(all.length);
  expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  // SQLite counts each one that it looks at four times.
  expect(cost.rowsRead).toBeLessThanOrEqual(120 + 4 * year);
});

test('of somebody with many thousands in other studies they come in shorter pages, and all of them', async () => {
  const eve = await signUp('Eve');
  await study.owner.post(`/investigation/${study.id}/member`, { user: eve.id, role: 'responder' });
  const { body: other } = await study.owner.post('/investigation', { name: 'Steps' });
  const steps = await study.owner.post(`/investigation/${other.identifier}/survey`, {
    name: 'Steps',
    items: [],
  });
  const newest = startOfTests - 8 * hours;
  await seedPast(
    Array.from({ length: 12_000 }, (_, n) => {
      const isMood = n % 3000 === 1500;
      const dueAt = newest - n * 30 * minutes;
      const on = new Date(dueAt).toISOString().slice(0, 10);
      const slot = n % 48;
      return {
        ...{ user: eve.id, survey: isMood ? mood : steps.body.identifier, on, slot, dueAt },
        ...{ state: 'skipped', reason: 'no-device' },
      } as const;
    }),
  );
  const { measure } = countedApp();
  const found: { dueAt: string }[] = [];
  let pages = 0;
  for (let cursor = ''; ; ) {
    const path = `/survey/${mood}/notifications?user=${eve.id}${cursor}`;
    const { answer, ...cost } = await measure(study.owner, 'GET', path);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThanOrEqual(4 * 5000 + 100);
    found.push(...answer.body.notifications);
    pages++;
    if (!answer.body.next) break;
    cursor = `&cursor=${answer.body.next}`;
  }
  expect(found.map(({ dueAt }) => (newest - Date.parse(dueAt)) / (30 * minutes))).toEqual([
    1500, 4500, 7500, 10_500,
  ]);
  expect(pages).toBe(3);
});

test('one that still comes is read by its identifier: by its person, and by who owns or edits the study', async () => {
  const diary = await sleepStudy(daily);
  await pendingOf(diary.responder);
  const [next] = await history(diary.responder);
  expect(next.state).toBe('scheduled');
  const read = (by: Person) => by.get(`/notification/${next.identifier}`);
  for (const person of [diary.responder, diary.owner, diary.editor]) {
    const answer = await read(person);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(next);
  }
  for (const person of [diary.other, await signUp('Mallory')])
    expectProblem(await read(person), 'resource.not-found');
});
