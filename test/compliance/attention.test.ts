import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Answer, Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { addMembers, addPhones } from '../support/worker/bulk.ts';
import { setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedSilent } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

interface Group {
  reason: string;
  count: number;
  more: boolean;
  first: { user: string; name: string }[];
}

const { measure } = countedApp();
const pathOf = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}/compliance/attention`;

/** The counts of each reason, and the names beside them. */
async function countsOf(study: Study, by = study.owner) {
  const { attention } = (await by.get(pathOf(study))).body as { attention: Group[] };
  return Object.fromEntries(
    attention.map(({ reason, count, first }) => [reason, [count, ...first.map(({ name }) => name)]]),
  );
}

test('counts who needs attention by reason, as the lists do, and names the first three', async () => {
  const study = await sleepStudy(daily);
  const { owner, editor, responder } = study;
  for (const person of [owner, editor, responder]) await newPhone(person);
  await pendingOf(responder);
  for (const day of ['01', '02', '03']) {
    setClock(`2027-03-${day}T20:30:00.000Z`);
    await ring(responder);
  }
  await owner.put('/user/me/pause', { until: '2027-03-10T00:00:00.000Z' });
  await editor.put('/user/me/pause', { until: null, investigation: study.id });
  const { attention } = (await owner.get(pathOf(study))).body as { attention: Group[] };
  for (const { reason, count, more, first } of attention) {
    const { participants } = (await owner.get(`/investigation/${study.id}/compliance?attention=${reason}`))
      .body;
    expect({ count, more }, reason).toEqual({ count: participants.length, more: false });
    expect(first, reason).toEqual(
      participants.slice(0, 3).map(({ user, name }: { user: string; name: string }) => ({ user, name })),
    );
  }
  const { silent, paused = [] } = await countsOf(study);
  expect(silent).toEqual([1, 'Chidi']);
  expect(paused.toSorted()).toEqual([2, 'Ada', editor.name]);

  await newResponse(study, responder, await newCase(study, owner));
  setClock('2027-03-10T08:00:00.000Z');
  expect(await countsOf(study, editor)).toMatchObject({ silent: [0], paused: [1, editor.name] });
});

test('members who end the pause of everything stay on the list while they pause the study', async () => {
  const study = await sleepStudy(daily);
  const { responder } = study;
  const pause = (investigation?: string) =>
    responder.put('/user/me/pause', { until: null, ...(investigation && { investigation }) });
  const paused = async () => (await countsOf(study)).paused;
  await pause();
  await pause(study.id);
  expect(await paused()).toEqual([1, responder.name]);
  expect((await responder.delete('/user/me/pause')).status).toBe(204);
  expect(await paused()).toEqual([1, responder.name]);
  expect((await responder.delete(`/user/me/pause?investigation=${study.id}`)).status).toBe(204);
  expect(await paused()).toEqual([0]);
});

test('former members are not counted, and nobody of a deleted study', async () => {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  await newPhone(responder);
  await pendingOf(responder);
  for (const day of ['01', '02', '03']) {
    setClock(`2027-03-${day}T20:30:00.000Z`);
    await ring(responder);
  }
  expect(await countsOf(study)).toMatchObject({ silent: [1, 'Chidi'] });
  const [before] = (await countsOf(study))['never-downloaded'] ?? [];
  await owner.delete(`/investigation/${study.id}/member/${responder.id}`);
  expect(await countsOf(study)).toMatchObject({ silent: [0] });
  expect((await countsOf(study))['never-downloaded']?.[0]).toBe(Number(before) - 1);
  expectProblem(await responder.get(pathOf(study)), 'resource.not-found');
  await owner.patch(`/investigation/${study.id}`, { status: 'archived' });
  await owner.delete(`/investigation/${study.id}`);
  expectProblem(await owner.get(pathOf(study)), 'resource.not-found');
});

describe('the list of studies', () => {
  /** The counts of a study in an answer. Studies that are created at the same instant are in any order. */
  const countsIn = (body: Answer['body'], { id }: Pick<Study, 'id'>) => {
    const [{ participants, attention }] = body.investigations.filter(
      ({ identifier }: { identifier: string }) => identifier === id,
    );
    return { participants, attention };
  };
  const listOf = async (person: Person, study: Pick<Study, 'id'>) =>
    countsIn((await person.get('/investigation?include=counts')).body, study);

  test('says how many take part and how many need attention, each person once', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder, other, survey } = study;
    for (const staff of [owner, editor])
      expect(await listOf(staff, study)).toEqual({ participants: 2, attention: 2 });
    for (const person of [owner, responder, other]) {
      await newPhone(person);
      await person.post(`/survey/${survey}/download`);
    }
    expect(await listOf(owner, study)).toEqual({ participants: 3, attention: 0 });
    await responder.put('/user/me/pause', { until: null });
    await responder.put('/user/me/pause', { until: null, investigation: study.id });
    expect(await listOf(editor, study)).toEqual({ participants: 3, attention: 1 });
    await owner.delete(`/investigation/${study.id}/member/${responder.id}`);
    expect(await listOf(editor, study)).toEqual({ participants: 2, attention: 0 });
  });

  test('says nothing of it to those who do not ask', async () => {
    const study = await sleepStudy();
    const [listed] = (await study.owner.get('/investigation')).body.investigations;
    expect(listed).not.toHaveProperty('participants');
    expect(listed).not.toHaveProperty('attention');
    expectProblem(await study.owner.get('/investigation?include=people'), 'request.invalid');
  });

  test('says nothing of it to responders, whatever they own beside', async () => {
    const [study, dreams] = [await sleepStudy(), await sleepStudy()];
    const { body } = await dreams.owner.post(`/investigation/${dreams.id}/member`, {
      user: study.responder.id,
      role: 'editor',
    });
    expect(body.role).toBe('editor');
    expect(await listOf(study.responder, study)).toEqual({});
    expect(await listOf(study.responder, dreams)).toEqual({ participants: 2, attention: 2 });
  });

  test('counts everybody who takes part in a study of any size, and looks at a bounded number of people', async () => {
    const study = await sleepStudy();
    const { owner, editor } = study;
    const listed = async (person: Person) => {
      const { answer, ...cost } = await measure(person, 'GET', '/investigation?include=counts');
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      return { ...countsIn(answer.body, study), rowsRead: cost.rowsRead };
    };
    await addMembers(study, 9_000);
    expect(await listed(owner)).toMatchObject({ participants: 9_002, attention: 9_002 });
    // With another study of theirs, both are looked at for half as many people.
    await editor.post('/investigation', { name: 'Dreams' });
    const { rowsRead, ...counts } = await listed(editor);
    expect(counts).toEqual({ participants: 9_002 });
    expect(rowsRead).toBeLessThanOrEqual(40);
    expect((await listed(owner)).rowsRead).toBeLessThanOrEqual(60_000);
  });
});

test('costs the same whether thousands need attention or tens of thousands', async () => {
  const costs: number[] = [];
  for (const n of [12_000, 30_000]) {
    const study = await sleepStudy();
    await addMembers(study, n);
    await addPhones(study);
    await env.DB.batch([
      // Half of them have lost their phone, a third paused, and most of those pauses have ended.
      env.DB.prepare(
        `update device set enabled = 0 where user_id in
          (select user_id from member where investigation_id = ?) and rowid % 2 = 0`,
      ).bind(study.id),
      env.DB.prepare(
        `update member set paused_until = iif(substr(user_id, -1) = '0', 4102444800000, 1)
          where investigation_id = ?1 and substr(user_id, -1) in ('0', '5', 'a', '2', 'c') and user_id like substr(?1, 1, 18) || '%'`,
      ).bind(study.id),
    ]);
    const { results } = await env.DB.prepare(
      "select user_id as id from member where investigation_id = ? and role = 'responder'",
    )
      .bind(study.id)
      .all<{ id: string }>();
    await seedSilent(
      study.survey,
      results.map(({ id }) => id),
    );
    const { answer, ...cost } = await measure(study.owner, 'GET', pathOf(study));
    expect(answer.body.attention).toMatchObject([
      { reason: 'unreachable', count: 1000, more: true },
      { reason: 'paused', more: true },
      { reason: 'silent', count: 1000, more: true },
      { reason: 'never-downloaded', count: 1000, more: true },
      { reason: 'date-missing', count: 0 },
    ]);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    // Pages of a larger study go on, though they are not full.
    expect(await pausedOf(study)).toHaveLength(n / 16);
    costs.push(cost.rowsRead);
  }
  const [few = 0, many = 0] = costs;
  // Of the first 10,000.
  expect(few).toBeLessThanOrEqual(80_000);
  expect(Math.abs(many - few)).toBeLessThanOrEqual(1000);
});

/** All who have paused, page by page. */
async function pausedOf({ id, owner }: Study): Promise<string[]> {
  const users: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await owner.get(
      `/investigation/${id}/compliance?from=2027-03-01&to=2027-03-01&attention=paused&limit=1000${cursor}`,
    );
    users.push(...body.participants.map(({ user }: { user: string }) => user));
    if (!body.next) return users;
    cursor = `&cursor=${body.next}`;
  }
}
