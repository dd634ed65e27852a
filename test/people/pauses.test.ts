import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { created, type Person } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const until = '2027-03-03T00:00:00.000Z';

/** A second study that Chidi takes part in, with the same reminders. */
async function secondStudy({ owner, responder }: Study) {
  const { identifier: id } = created(
    await owner.post('/investigation', { name: 'Mood', timeZone: 'Europe/Paris' }),
  );
  created(await owner.post(`/investigation/${id}/member`, { user: responder.id, role: 'responder' }));
  const survey = await owner.post(`/investigation/${id}/survey`, {
    name: 'Mood',
    items: diary,
    reminders: daily,
  });
  return { id, survey: created(survey).identifier };
}

async function twoStudies() {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const second = await secondStudy(study);
  const phone = await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder, 2);
  await pendingOf(study.other);
  return { study, second, phone, user: study.responder };
}

const notesOf = async (of: Person) =>
  Object.fromEntries((await history(of)).map(({ survey, note }) => [survey, note]));

describe('a pause of one study', () => {
  test('skips its reminders and no others, until it ends', async () => {
    const { study, second, phone, user } = await twoStudies();
    const paused = await user.put('/user/me/pause', { until, investigation: study.id });
    expect(paused.body.pausedStudies).toEqual([{ investigation: study.id, until }]);
    expect(paused.body).not.toHaveProperty('pausedUntil');
    setClock(due);
    await ring(user);
    expect((await phone.inbox()).map(({ data }) => data.survey)).toEqual([second.survey]);
    const rows = (await history(user)).filter((row) => row.survey === study.survey);
    expect(rows[1]).toMatchObject({ on: '2027-03-01', state: 'skipped', reason: 'paused' });

    expect((await user.delete(`/user/me/pause?investigation=${study.id}`)).status).toBe(204);
    expect((await user.get('/user/me')).body).not.toHaveProperty('pausedStudies');
    setClock(due + 24 * 3_600_000);
    await ring(user);
    expect(await phone.inbox()).toHaveLength(3);
  });

  test('is shown whatever study somebody else deletes', async () => {
    const { study, user } = await twoStudies();
    await user.put('/user/me/pause', { until, investigation: study.id });
    const { owner, id } = await sleepStudy();
    await owner.patch(`/investigation/${id}`, { status: 'archived' });
    expect((await owner.delete(`/investigation/${id}`)).status).toBe(204);
    const { body, headers } = await user.get('/user/me');
    expect(body.pausedStudies).toEqual([{ investigation: study.id, until }]);
    const changed = await user.patch(
      '/user/me',
      { name: 'Chidi' },
      { 'if-match': headers.get('etag') ?? '' },
    );
    expect(changed.status).toBe(200);
  });

  test('is ended by nothing but its own end, by the time, or by leaving the study', async () => {
    const { study, second, user } = await twoStudies();
    await user.put('/user/me/pause', { until, investigation: study.id });
    await user.put('/user/me/pause', { until: null, investigation: second.id });
    await user.put('/user/me/pause', { until: null });
    expect((await user.delete('/user/me/pause')).status).toBe(204);
    const pauses = [
      { investigation: study.id, until },
      { investigation: second.id, until: null },
    ].toSorted((a, b) => (a.investigation < b.investigation ? -1 : 1));
    expect((await user.get('/user/me')).body.pausedStudies).toEqual(pauses);
    expect((await user.get(`/user/${user.id}`)).body.pausedStudies).toEqual(pauses);
    setClock(Date.parse(until));
    expect((await user.get('/user/me')).body.pausedStudies).toEqual([
      { investigation: second.id, until: null },
    ]);
    await user.delete(`/investigation/${second.id}/member/me`);
    expect((await user.get('/user/me')).body).not.toHaveProperty('pausedStudies');
  });

  test('is seen by nobody else', async () => {
    const { study, user } = await twoStudies();
    await user.put('/user/me/pause', { until, investigation: study.id });
    await user.put('/user/me/pause', { until });
    const seen = await study.owner.get(`/user/${user.id}`);
    expect(Object.keys(seen.body).toSorted()).toEqual(['avatar', 'identifier', 'name', 'uri']);
  });

  test('of a study that one is no member of is refused like one that does not exist', async () => {
    const { user } = await twoStudies();
    const other = await sleepStudy();
    for (const investigation of [other.id, 'f'.repeat(31).concat('0')]) {
      const answer = await user.put('/user/me/pause', { until, investigation });
      expect(answer).toMatchObject({ status: 404, body: { code: 'resource.not-found' } });
      expect((await user.delete(`/user/me/pause?investigation=${investigation}`)).status).toBe(404);
    }
    expect((await user.put('/user/me/pause', { until, investigation: 'x' })).status).toBe(400);
    expect((await user.delete('/user/me/pause?investigation=x')).status).toBe(400);
    expect((await user.delete('/user/me/pause?study=x')).status).toBe(400);
  });
});

test.each(['2027-03-01T08:00:00.000Z', '2020-01-01T00:00:00Z'])(
  'a pause until %s, which is over, is refused',
  async (past) => {
    const { study, user } = await twoStudies();
    for (const investigation of [undefined, study.id]) {
      const answer = await user.put('/user/me/pause', { until: past, investigation });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'request.invalid', errors: [{ pointer: '/until' }] },
      });
    }
    expect((await user.get('/user/me')).body).not.toHaveProperty('pausedUntil');
  },
);

describe('reminders that a pause would skip say so', () => {
  test('in what comes next, for the user and for editors, up to the end of the pause', async () => {
    const { study, user } = await twoStudies();
    await user.put('/user/me/pause', { until, investigation: study.id });
    const path = `/survey/${study.survey}/reminders/upcoming?count=3`;
    for (const answer of [await user.get(path), await study.editor.get(`${path}&user=${user.id}`)])
      expect(
        answer.body.occurrences.map(({ on, note }: { on: string; note?: string }) => [on, note]),
      ).toEqual([
        ['2027-03-01', `Paused until ${until}: will be skipped`],
        ['2027-03-02', `Paused until ${until}: will be skipped`],
        ['2027-03-03', undefined],
      ]);
    await user.put('/user/me/pause', { until: null });
    const { occurrences } = (await user.get(path)).body;
    expect(occurrences[2].note).toBe('Paused: will be skipped');
  });

  test('in the history, for the user and for owners', async () => {
    const { study, second, user } = await twoStudies();
    await user.put('/user/me/pause', { until: null, investigation: study.id });
    expect(await notesOf(user)).toEqual({
      [study.survey]: 'Paused: will be skipped',
      [second.survey]: undefined,
    });
    const byOwner = await study.owner.get(`/survey/${study.survey}/notifications?user=${user.id}`);
    expect(byOwner.body.notifications[0]).toMatchObject({
      state: 'scheduled',
      note: 'Paused: will be skipped',
    });
    await user.delete(`/user/me/pause?investigation=${study.id}`);
    await user.put('/user/me/pause', { until });
    expect(new Set(Object.values(await notesOf(user)))).toEqual(
      new Set([`Paused until ${until}: will be skipped`]),
    );
    setClock(Date.parse(until) + 1);
    expect(await notesOf(user)).toMatchObject({
      [study.survey]: `Paused until ${until}: will be skipped`,
    });
  });
});

test('reading oneself costs the same in a thousand studies, and one round trip', async () => {
  const { study, user } = await twoStudies();
  await user.put('/user/me/pause', { until, investigation: study.id });
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into member (investigation_id, user_id, role, created_at) select printf('%032x', i), ?, 'responder', 0 from n`,
  )
    .bind(user.id)
    .run();
  const { answer, roundTrips, rowsRead } = await countedApp().measure(user, 'GET', '/user/me');
  expect(answer.body.pausedStudies).toHaveLength(1);
  expect(roundTrips).toBe(1);
  expect(rowsRead).toBeLessThanOrEqual(10);
});

test('reminders of nobody, or of a person who is not in the study, are 404', async () => {
  const { study, second } = await twoStudies();
  const { responder, other, owner, editor } = study;
  const paths = [
    `/survey/${study.survey}/notifications`,
    `/survey/${study.survey}/reminders/upcoming`,
    `/investigation/${study.id}/notifications`,
  ];
  const outsider = (await sleepStudy()).responder;
  for (const path of paths)
    for (const user of ['0'.repeat(31).concat('1'), outsider.id])
      for (const asker of [owner, editor])
        expect(await asker.get(`${path}?user=${user}`), path).toMatchObject({
          status: 404,
          body: { code: 'resource.not-found' },
        });
  // Dana is in the first study only, and leaves it.
  expect((await owner.get(`/survey/${second.survey}/notifications?user=${other.id}`)).status).toBe(404);
  for (const path of paths) expect((await owner.get(`${path}?user=${other.id}`)).status).toBe(200);
  await other.delete(`/investigation/${study.id}/member/me`);
  for (const path of paths) {
    expect((await owner.get(`${path}?user=${other.id}`)).status).toBe(404);
    // A responder does not learn who is in the study.
    for (const user of [other.id, outsider.id])
      expect((await responder.get(`${path}?user=${user}`)).status).toBe(403);
  }
});
