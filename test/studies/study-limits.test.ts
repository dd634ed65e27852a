import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { reconcile } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { expectTaken, inFours } from '../support/in-fours.ts';
import { diary, newCase, newResponse, type Study } from '../support/studies.ts';
import { small } from '../support/worker/apps.ts';
import { days, hours, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { signUp, sleepStudy, stranger } from '../support/worker/world.ts';

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

describe('cases', () => {
  test('one more than the study may have is refused, and changes nothing; other studies go on', async () => {
    const post = small({ MAX_CASES: '3' });
    const [study, other] = await Promise.all([sleepStudy(), sleepStudy()]);
    const path = `/investigation/${study.id}/case`;
    for (let n = 0; n < 3; n++)
      expect((await post(study.responder, path, { label: `${n}` })).status).toBe(201);
    expectProblem(await post(study.owner, path, { label: 'one too many' }), 'limit.reached');
    const { body } = await study.owner.get(`/investigation/${study.id}/cases`);
    expect(body.cases).toHaveLength(3);
    expect((await post(other.owner, `/investigation/${other.id}/case`, { label: '1' })).status).toBe(201);
  });

  test('of many at once exactly as many as there is room for get in', async () => {
    const post = small({ MAX_CASES: '5' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/case`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(study.owner, path, { label: `${n}` })),
    );
    expect(statuses(answers)).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
  });

  test('a repeated creation is found in a full study, and a taken identifier is still called so', async () => {
    const post = small({ MAX_CASES: '1' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/case`;
    const mine = { label: 'Mine', identifier: '5'.repeat(32) };
    expect((await post(study.owner, path, mine)).status).toBe(201);
    expect((await post(study.owner, path, mine)).status).toBe(200);
    expectProblem(await post(study.owner, path, { ...mine, label: 'Yours' }), 'identifier.taken');
  });

  test('callers who may not see the study do not learn how full it is', async () => {
    const post = small({ MAX_CASES: '0', MAX_SURVEYS: '0', MAX_MEMBERS: '0' });
    const study = await sleepStudy();
    const eve = await signUp('Eve');
    const tries: [string, object][] = [
      ['case', { label: 'x' }],
      ['survey', { name: 'x', items: [] }],
      ['member', { email: 'x@example.org', role: 'owner' }],
    ];
    for (const [what, body] of tries)
      expectProblem(await post(eve, `/investigation/${study.id}/${what}`, body), 'resource.not-found');
  });
});

describe('surveys', () => {
  test('one more than the study may have is refused; of many at once those that were under way are taken', async () => {
    const post = small({ MAX_SURVEYS: '4' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/survey`;
    const answers = await inFours(8, (n) => post(study.editor, path, { name: `${n}`, items: diary }));
    expectTaken(answers, 3);
    expectProblem(await post(study.owner, path, { name: 'x', items: [] }), 'limit.reached');
    expectProblem(await post(study.responder, path, { name: 'x', items: [] }), 'action.forbidden');
  });
});

test('a survey grows as long as the study may store more, and may always shrink', async () => {
  const post = small({ MAX_STUDY_BYTES: '5000' });
  const { owner, survey } = await sleepStudy();
  const path = `/survey/${survey}`;
  const items = [{ identifier: 'q1', label: 'x'.repeat(1900) }];
  expect((await post(owner, path, { items }, 'PATCH')).status).toBe(200);
  const more = [
    ...items,
    { identifier: 'q2', label: 'x'.repeat(2000) },
    { identifier: 'q3', label: 'x'.repeat(2000) },
  ];
  const refused = await post(owner, path, { items: more }, 'PATCH');
  expectProblem(refused, 'limit.reached');
  expect(refused.body.bound).toBe('MAX_STUDY_BYTES');
  expect((await owner.get(path)).body.items).toEqual(items);
  const shrunk = small({ MAX_STUDY_BYTES: '10' });
  expect((await shrunk(owner, path, { items: [] }, 'PATCH')).status).toBe(200);
});

describe('notifications', () => {
  /** So many sent to Chidi by the survey, on so many dates, the newest of which is so many days ago. */
  const seed = ({ survey, responder }: Study, count: number, dates: number, ago = 1) =>
    seedPast(
      Array.from({ length: count }, (_, i) => {
        const dueAt = startOfTests + 4 * hours - (ago + (i % dates)) * days;
        return {
          ...{ user: responder.id, survey, revision: Math.floor(i / (120 * dates)), counter: i, dueAt },
          ...{ slot: Math.floor(i / dates) % 120, state: 'sent', settledAt: 1 },
          on: new Date(dueAt).toISOString().slice(0, 10),
        } as const;
      }),
    );

  /** The hourly work, until it has looked at every study. */
  const hourLater = async () => {
    const looked = () =>
      env.DB.prepare("select after from job_run where name = 'bytes'").first<string>('after');
    do {
      later(hours);
      await reconcile({ ...createServices(env), log: () => {} });
    } while (await looked());
  };

  test('count 300 bytes each while they are kept, wherever a study stores more', async () => {
    setClock(startOfTests);
    const study = await sleepStudy();
    const { owner, responder, survey } = study;
    const night = await newCase(study, responder);
    const response = await newResponse(study, responder, night);
    const post = small({ MAX_STUDY_BYTES: '20000' });
    const tries = (round: number): [string, object, 'POST' | 'PATCH'][] => [
      [`/investigation/${study.id}/case`, { label: 'Night 2' }, 'POST'],
      [`/investigation/${study.id}/survey`, { name: 'Mood', items: diary }, 'POST'],
      [`/survey/${survey}/response`, { case: night, items: { q1: 'well' } }, 'POST'],
      [`/response/${response}`, { items: { q1: `badly, for the ${round}. time` } }, 'PATCH'],
      [`/survey/${survey}`, { name: `Diary${'!'.repeat(10 * round)}` }, 'PATCH'],
    ];
    for (const [path, body, method] of tries(1))
      expect((await post(owner, path, body, method)).status, path).toBeLessThan(300);

    // Purged by now, or soon, with their counts still there.
    await seed(study, 60, 5, 402);
    await hourLater();
    for (const [path, body, method] of tries(2))
      expect((await post(owner, path, body, method)).status, path).toBeLessThan(300);

    await seed(study, 60, 5);
    await hourLater();
    for (const [path, body, method] of tries(3)) {
      const refused = await post(owner, path, body, method);
      expectProblem(refused, 'limit.reached');
      expect(refused.body.bound).toBe('MAX_STUDY_BYTES');
    }
    expect((await post(owner, `/survey/${survey}`, { name: 'D' }, 'PATCH')).status).toBe(200);
    const other = await sleepStudy();
    expect((await post(other.owner, `/investigation/${other.id}/case`, { label: '1' })).status).toBe(201);
  });

  test('cost the check nothing, however many they are', async () => {
    setClock(startOfTests);
    const { measure } = countedApp((services) => services, readConfig(env).limits);
    const dates = 50;
    const costs: Record<'rowsRead' | 'rowsWritten', number>[] = [];
    for (const count of [100, 100_000]) {
      const study = await sleepStudy();
      const night = await newCase(study, study.responder);
      const before = await measure(study.responder, 'POST', `/survey/${study.survey}/response`, {
        case: night,
        items: { q1: 'well' },
      });
      await seed(study, count, dates);
      await hourLater();
      const after = await measure(study.owner, 'POST', `/survey/${study.survey}/response`, {
        case: night,
        items: { q1: 'well' },
      });
      expect([before.answer.status, after.answer.status]).toEqual([201, 201]);
      expect(after.roundTrips).toBe(before.roundTrips);
      expect(after.rowsRead - before.rowsRead).toBeLessThanOrEqual(2);
      costs.push({ rowsRead: after.rowsRead, rowsWritten: after.rowsWritten });
    }
    // Whether a range of a table is the last one makes a difference of one row.
    expect(costs[1]?.rowsWritten).toBe(costs[0]?.rowsWritten);
    expect(Math.abs((costs[1]?.rowsRead ?? 0) - (costs[0]?.rowsRead ?? 0))).toBeLessThanOrEqual(2);
  });
});

describe('members', () => {
  test('invitations that wait count, and become members in a full study', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '6' });
    const path = `/investigation/${study.id}/member`;
    const [late, fay, gus] = await Promise.all([stranger('Late'), signUp('Fay'), signUp('Gus')]);
    expect((await post(study.owner, path, { email: late.email, role: 'responder' })).status).toBe(201);
    expect((await post(study.owner, path, { user: fay.id, role: 'responder' })).status).toBe(201);

    expectProblem(await post(study.owner, path, { user: gus.id, role: 'responder' }), 'limit.reached');
    expectProblem(await post(study.owner, path, { email: 'x@example.org', role: 'editor' }), 'limit.reached');
    expect((await post(study.owner, path, { user: fay.id, role: 'responder' })).status, 'members stay').toBe(
      200,
    );
    const again = await post(study.owner, path, { email: late.email, role: 'responder' });
    expect(again.status, 'an invitation may be repeated').toBe(200);

    expect((await late.post('/user', { name: 'Late' })).status).toBe(201);
    expect((await late.get(`/investigation/${study.id}`)).body.role).toBe('responder');
    expectProblem(await post(study.owner, path, { user: gus.id, role: 'responder' }), 'limit.reached');
    await study.owner.delete(`${path}/${fay.id}`);
    expect((await post(study.owner, path, { user: gus.id, role: 'responder' })).status).toBe(201);
  });

  test('of many invitations at once as many as there is room for are sent, with those under way together', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '7' });
    const answers = await inFours(8, (n) =>
      post(study.owner, `/investigation/${study.id}/member`, {
        email: `${study.id}-${n}@example.org`,
        role: 'responder',
      }),
    );
    expectTaken(answers, 3);
    const path = `/investigation/${study.id}/member`;
    expectProblem(
      await post(study.owner, path, { email: 'late@example.org', role: 'editor' }),
      'limit.reached',
    );
  });

  test('users who delete themselves make room', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '4' });
    await study.other.delete('/user/me');
    const gus = await signUp('Gus');
    const answer = await post(study.owner, `/investigation/${study.id}/member`, {
      user: gus.id,
      role: 'editor',
    });
    expect(answer.status).toBe(201);
  });
});

test('a user creates a limited number of studies, and belongs to any number of others', async () => {
  const post = small({ MAX_STUDIES: '2' });
  const [ada, bruno] = await Promise.all([signUp('Ada'), signUp('Bruno')]);
  const study = { name: 'Sleep' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(ada, '/investigation', study)));
  expect(statuses(answers)).toEqual([201, 201, 409, 409]);
  expectProblem(await post(ada, '/investigation', study), 'limit.reached');
  expect((await ada.get('/investigation')).body.investigations).toHaveLength(2);
  const theirs = await post(bruno, '/investigation', study);
  const path = `/investigation/${theirs.body.identifier}/member`;
  expect((await post(bruno, path, { user: ada.id, role: 'owner' })).status).toBe(201);
});
