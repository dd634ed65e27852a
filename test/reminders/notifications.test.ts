import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* Chidi's reminders in the study of sleep, which has two surveys, and in another study that Ada owns too. */

let study: Study;
let mood: string;
let chidi: Person;
const year = 365;

/** One a day, the newest yesterday; those of an hour are of one survey. */
const seed = (user: string, survey: string, hour: number, days: number) =>
  env.DB.prepare(
    `with recursive n(ago) as (select ?1 union all select ago - 1 from n where ago > 1)
      insert into scheduled_notification
        (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state, reason)
      select ?2, ?3, 0, date('2027-03-01', '-' || ago || ' days'), 0,
        unixepoch('2027-03-01', '-' || ago || ' days', ?4 || ' hours') * 1000, 0, 'UTC', 1, 'skipped', 'no-device' from n`,
  )
    .bind(days, user, survey, hour)
    .run();

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

test('they cost what they are, whatever the person has in other studies', async () => {
  const { answer, ...cost } = await countedApp().measure(study.owner, 'GET', path());
  expect(answer.body.notifications).toHaveLength(all.length);
  expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(cost.rowsRead).toBeLessThanOrEqual(60);
});
