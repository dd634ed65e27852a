import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Person } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { daily, jobsDone, waitingJobs } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, stranger } from '../support/worker/world.ts';

/*
 * A write that changes what plans depend on raises a stamp, so that no plan made from the old state is stored, and adds
 * an outbox row, so that the new plan is made. Triggers record both, and each must come with the other.
 */
beforeAll(async () => {
  await env.DB.batch(
    [
      'create table recorded (kind text, id text)',
      `create trigger record_user after update of plan_stamp on user begin
        insert into recorded values ('stamp', new.id); end`,
      `create trigger record_survey after update of plan_stamp on survey begin
        insert into recorded values ('stamp', new.investigation_id); end`,
      `create trigger record_job after insert on replan begin
        insert into recorded values ('job', coalesce(new.user_id, new.investigation_id)); end`,
    ].map((statement) => env.DB.prepare(statement)),
  );
});

/** The users and studies whose stamps were raised by `work`, and those that got an outbox row. */
async function recorded(work: () => Promise<unknown>) {
  await env.DB.prepare('delete from recorded').run();
  await work();
  const { results } = await env.DB.prepare('select distinct kind, id from recorded order by id').all<{
    kind: 'stamp' | 'job';
    id: string;
  }>();
  const idsOf = (kind: string) => results.filter((row) => row.kind === kind).map(({ id }) => id);
  return { stamps: idsOf('stamp'), jobs: idsOf('job') };
}

/** Stamps raised without a row, or rows without a raised stamp. */
const unpaired = ({ stamps, jobs }: { stamps: string[]; jobs: string[] }) => [
  ...new Set(stamps).symmetricDifference(new Set(jobs)),
];

/** Sends a request, and returns the users whose plans it made again. */
async function replanned(request: () => Promise<Answer>): Promise<string[]> {
  const found = await recorded(async () => {
    const answer = await request();
    expect(answer.status, answer.text).toBeLessThan(300);
  });
  expect(unpaired(found)).toEqual([]);
  await jobsDone();
  return found.stamps;
}

const member = ({ id }: Study) => `/investigation/${id}/member`;
const surveyOf = ({ survey }: Study) => `/survey/${survey}`;
const studyOf = ({ id }: Study) => `/investigation/${id}`;
const register = (person: Person, token: string, timeZone: string) =>
  person.post('/user/me/device', { platform: 'android', token, timeZone });

describe('plans one user again', () => {
  test('when they change their zone or time', async () => {
    const { responder } = await sleepStudy(daily);
    for (const change of [{ timeZone: 'Asia/Tokyo' }, { customRemindersTime: '20:00' }])
      expect(await replanned(() => responder.patch('/user/me', change))).toEqual([responder.id]);
  });

  test('when they download a survey for the first time', async () => {
    const study = await sleepStudy({ ...daily, type: 'fixed', recurrence: '0 9 * * 1' });
    const download = () => study.responder.post(`${surveyOf(study)}/download`);
    expect(await replanned(download)).toEqual([study.responder.id]);
    expect(await replanned(download)).toEqual([]);
  });

  test('when they register, move or delete a phone', async () => {
    const { responder } = await sleepStudy(daily);
    const phone = { id: '' };
    expect(
      await replanned(async () => {
        const answer = await register(responder, 'the-phone-of-chidi', 'Asia/Tokyo');
        phone.id = answer.body.identifier;
        return answer;
      }),
    ).toEqual([responder.id]);
    const travel = () => responder.patch(`/device/${phone.id}`, { timeZone: 'America/Bogota' });
    expect(await replanned(travel)).toEqual([responder.id]);
    expect(await replanned(travel)).toEqual([]);
    expect(await replanned(() => responder.delete(`/device/${phone.id}`))).toEqual([responder.id]);
  });

  test('and whoever loses the phone to them', async () => {
    const { responder, other } = await sleepStudy(daily);
    await register(other, 'the-phone-of-both', 'Asia/Tokyo');
    expect(await replanned(() => register(responder, 'the-phone-of-both', 'Asia/Tokyo'))).toEqual(
      [responder.id, other.id].sort(),
    );
  });

  test('when they join a study, leave it or are removed', async () => {
    const study = await sleepStudy(daily);
    const emil = await signUp('Emil');
    const join = () => study.owner.post(member(study), { user: emil.id, role: 'responder' });
    expect(await replanned(join)).toEqual([emil.id]);
    expect(await replanned(() => emil.delete(`${member(study)}/me`))).toEqual([emil.id]);
    await join();
    expect(await replanned(() => study.owner.delete(`${member(study)}/${emil.id}`))).toEqual([emil.id]);
  });

  test('when signing up accepts an invitation', async () => {
    const study = await sleepStudy(daily);
    const emil = await stranger('Emil');
    await study.owner.post(member(study), { email: emil.email, role: 'responder' });
    let id = '';
    const signedUp = await replanned(async () => {
      const answer = await emil.post('/user', { name: 'Emil' });
      id = answer.body.identifier;
      return answer;
    });
    expect(signedUp).toEqual([id]);
  });

  test('when they are deleted', async () => {
    const { responder } = await sleepStudy(daily);
    expect(await replanned(() => responder.delete('/user/me'))).toEqual([responder.id]);
  });
});

describe('plans a whole study again', () => {
  test('when a survey is created with reminders', async () => {
    const study = await sleepStudy();
    const create = (reminders: object | null) =>
      study.editor.post(`${studyOf(study)}/survey`, { name: 'Evening', items: diary, reminders });
    expect(await replanned(() => create(daily))).toEqual([study.id]);
    expect(await replanned(() => create(null))).toEqual([]);
  });

  test('when the reminders of a survey change, or it is archived or returns', async () => {
    const study = await sleepStudy();
    for (const change of [
      { reminders: daily },
      { reminders: null },
      { status: 'archived' },
      { status: 'active' },
    ])
      expect(await replanned(() => study.editor.patch(surveyOf(study), change))).toEqual([study.id]);
  });

  test('when its calendar changes, or it is archived or returns', async () => {
    const study = await sleepStudy(daily);
    for (const change of [
      { startsOn: '2027-03-08' },
      { timeZone: 'America/Bogota' },
      { status: 'archived' },
      { status: 'active' },
    ])
      expect(await replanned(() => study.owner.patch(studyOf(study), change))).toEqual([study.id]);
  });
});

test('changes that plans do not depend on leave them alone', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder, 'Europe/Paris');
  const requests = [
    () => study.responder.patch('/user/me', { name: 'Chidi Anagonye' }),
    () => study.responder.put('/user/me/pause', { until: null }),
    () => study.responder.delete('/user/me/pause'),
    () => study.owner.patch(`${member(study)}/${study.responder.id}`, { role: 'editor' }),
    () => study.owner.patch(studyOf(study), { name: 'Sleep and dreams' }),
    () => study.editor.patch(surveyOf(study), { name: 'Evening diary' }),
    () => study.editor.patch(surveyOf(study), { reminders: daily }),
  ];
  for (const request of requests) expect(await replanned(request)).toEqual([]);
});

test('a request that has to try again starts only the plan of the attempt that was stored', async () => {
  const study = await sleepStudy();
  const deferred: unknown[] = [];
  const { send } = newApp({
    db: interruptedDb(() => study.owner.patch(studyOf(study), { name: 'Sleep and dreams' })),
    defer: (work) => deferred.push(work),
  });
  const answer = await send(studyOf(study), {
    method: 'PATCH',
    token: study.owner.token,
    body: { startsOn: '2027-03-08' },
  });
  expect(answer.body).toMatchObject({ name: 'Sleep and dreams', startsOn: '2027-03-08' });
  expect(await waitingJobs()).toBe(1);
  // Beside the note that the owner looked.
  expect(deferred).toHaveLength(2);
});

/** A check that cannot fail is none. */
test('a stamp without its row is found, and a row without its stamp', async () => {
  const { id, responder } = await sleepStudy(daily);
  const raise = 'update user set plan_stamp = plan_stamp + 1 where id = ?';
  const bare = await recorded(() => env.DB.prepare(raise).bind(responder.id).run());
  expect(unpaired(bare)).toEqual([responder.id]);

  const insert = "insert into replan (id, investigation_id, after, touched_at) values ('job', ?, '', 0)";
  const lone = await recorded(() => env.DB.prepare(insert).bind(id).run());
  expect(unpaired(lone)).toEqual([id]);
});
