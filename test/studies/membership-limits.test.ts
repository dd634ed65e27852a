import { describe, expect, test } from 'vitest';
import { created, type Person } from '../support/people.ts';
import { small } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, stranger } from '../support/worker/world.ts';

const post = small({ MAX_MEMBERSHIPS: '3' });

const newStudy = async (by: Person, name = 'Sleep') =>
  created(await by.post('/investigation', { name })).identifier as string;

const newStudies = (by: Person, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => newStudy(by, `Study ${n}`)));

const studiesOf = async (person: Person) => {
  const { body } = await person.get('/investigation');
  return body.investigations.map(({ identifier }: { identifier: string }) => identifier).toSorted();
};

const invite = async (by: Person, study: string, email: string) =>
  created(await by.post(`/investigation/${study}/member`, { email, role: 'responder' }));

const accept = (by: Person, study: string) => post(by, `/user/me/invitations/${study}/accept`);

function expectFull(answer: Awaited<ReturnType<typeof accept>>) {
  expectProblem(answer, 'limit.reached');
  expect(answer.body.bound).toBe('MAX_MEMBERSHIPS');
}

describe('Zoe, who is a member of as many studies as anyone may be', () => {
  async function zoeAndOlga() {
    const [zoe, olga] = await Promise.all([signUp('Zoe'), signUp('Olga')]);
    const [first = ''] = await newStudies(zoe, 3);
    return { zoe, olga, first, study: await newStudy(olga) };
  }

  test('creates no study, until she has left one', async () => {
    const { zoe, olga, first } = await zoeAndOlga();
    expectFull(await post(zoe, '/investigation', { name: 'One too many' }));
    expect(await studiesOf(zoe)).toHaveLength(3);
    await zoe.post(`/investigation/${first}/member`, { user: olga.id, role: 'owner' });
    expect((await zoe.delete(`/investigation/${first}/member/me`)).status).toBe(204);
    expect((await post(zoe, '/investigation', { name: 'Another' })).status).toBe(201);
    expectFull(await post(zoe, '/investigation', { name: 'One too many' }));
  });

  test('accepts no invitation, which goes on waiting', async () => {
    const { zoe, olga, first, study } = await zoeAndOlga();
    await invite(olga, study, zoe.email);
    expectFull(await accept(zoe, study));
    expect((await zoe.get('/user/me/invitations')).body.invitations).toMatchObject([{ identifier: study }]);
    await zoe.post(`/investigation/${first}/member`, { user: olga.id, role: 'owner' });
    await zoe.delete(`/investigation/${first}/member/me`);
    expect((await accept(zoe, study)).status).toBe(200);
    expect((await accept(zoe, study)).status, 'a repeat').toBe(200);
    expect(await studiesOf(zoe)).toContain(study);
  });

  test('is added by nobody, who learns why, and may be invited still', async () => {
    const { zoe, olga, study } = await zoeAndOlga();
    const add = (user: string) => post(olga, `/investigation/${study}/member`, { user, role: 'editor' });
    expectFull(await add(zoe.id));
    expectProblem(await add('5'.repeat(32)), 'resource.not-found');
    expect(await studiesOf(zoe)).toHaveLength(3);
    // By e-mail everybody is invited.
    const byEmail = await post(olga, `/investigation/${study}/member`, { email: zoe.email, role: 'editor' });
    expect(byEmail.status).toBe(201);
  });

  test('keeps her memberships, and is told so when she is added again', async () => {
    const { zoe, first } = await zoeAndOlga();
    const again = await post(zoe, `/investigation/${first}/member`, { user: zoe.id, role: 'owner' });
    expect(again.status).toBe(200);
  });
});

test('of many ways in at once as many succeed as there is room for, with those under way together, and no more', async () => {
  const [zoe, olga] = await Promise.all([signUp('Zoe'), signUp('Olga')]);
  const studies = await newStudies(olga, 6);
  for (const study of studies.slice(0, 3)) await invite(olga, study, zoe.email);
  const answers = await Promise.all([
    ...studies.slice(0, 3).map((study) => accept(zoe, study)),
    ...studies
      .slice(3)
      .map((study) => post(olga, `/investigation/${study}/member`, { user: zoe.id, role: 'editor' })),
    ...Array.from({ length: 3 }, () => post(zoe, '/investigation', { name: 'Mine' })),
  ]);
  const joined = answers.filter(({ status }) => status < 300).length;
  expect(joined).toBeGreaterThanOrEqual(3);
  expect(answers.filter(({ status }) => status !== 409)).toHaveLength(joined);
  expect(await studiesOf(zoe)).toHaveLength(joined);
  expectFull(await post(zoe, '/investigation', { name: 'One too many' }));
  const last = await newStudy(olga);
  expectFull(await post(olga, `/investigation/${last}/member`, { user: zoe.id, role: 'editor' }));
  expect(await studiesOf(zoe)).toHaveLength(joined);
});

test('signing up accepts as many invitations as there is room for; the others wait', async () => {
  const [olga, gil] = [await signUp('Olga'), await stranger('Gil')];
  const studies = (await newStudies(olga, 3)).toSorted();
  const omar = await signUp('Omar');
  for (const study of studies) await invite(olga, study, gil.email);
  for (const study of await newStudies(omar, 2)) {
    later(minutes);
    studies.push(study);
    await invite(omar, study, gil.email);
  }
  const join = () => post(gil, '/user', { name: 'Gil', acceptInvitations: true });
  expect((await join()).status).toBe(201);
  expect(await studiesOf(gil)).toEqual(studies.slice(0, 3));
  const waiting = async () => (await gil.get('/user/me/invitations')).body.invitations;
  expect(await waiting()).toHaveLength(2);

  expect((await join()).status).toBe(200);
  expect(await waiting()).toHaveLength(2);
  await olga.delete(`/investigation/${studies[0]}/member/${(await gil.get('/user/me')).body.identifier}`);
  expect((await join()).status).toBe(200);
  expect(await studiesOf(gil)).toEqual(studies.slice(1, 4).toSorted());
  expect(await waiting()).toHaveLength(1);
});
