import { beforeEach, describe, expect, test } from 'vitest';
import { created, type Person, signedIn } from '../support/people.ts';
import { inDays, newProgram } from '../support/programs.ts';
import { lock, newCase, newMember, newResponse, type Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { jobsDone } from '../support/worker/reminders.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
/** Ada, who has just signed in. */
let ada: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  ada = await signedIn(world, study.owner);
});

const tokens = () => `/investigation/${study.id}/tokens`;
const newOne = (more?: Parameters<typeof newProgram>[3]) => newProgram(world, ada, study.id, more);
const listed = async () => (await ada.get(tokens())).body.tokens;
const memberPath = (of: Person) => `/investigation/${study.id}/member/${of.id}`;

/** Another isolate of the service, which knows of nothing that happens here. */
const elsewhere = newApp();

describe('a token for a program', () => {
  test('is made by an owner who has just signed in, for at most 400 days', async () => {
    const path = `/investigation/${study.id}/token`;
    const given = { label: 'Nightly copy', expiresAt: inDays(400) };
    expectProblem(await study.owner.post(path, given), 'auth.sign-in-stale');
    expectProblem(await (await signedIn(world, study.editor)).post(path, given), 'action.forbidden');
    for (const expiresAt of [inDays(0), inDays(401), '2027-02-30T00:00:00Z']) {
      const refused = await changingNothing(() => ada.post(path, { ...given, expiresAt }));
      expectProblem(refused, 'request.invalid', ['/expiresAt']);
    }
    const answer = await ada.post(path, given);
    const { token, ...shown } = created(answer);
    expect(shown).toEqual({
      identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
      label: 'Nightly copy',
      createdAt: '2027-03-01T08:00:00.000Z',
      createdBy: `/user/${ada.id}`,
      expiresAt: '2028-04-04T08:00:00.000Z',
    });
    expect(JSON.stringify(await dumpTables())).not.toContain(token);
    expect(await listed()).toEqual([{ ...shown, lastUsedOn: null, state: 'active' }]);
    later(5 * minutes + 1000);
    expectProblem(await ada.post(path, given), 'auth.sign-in-stale');
  });

  test('reads what a monitor reads in its study, and nothing of others', async () => {
    const copy = await newOne();
    const night = await newCase(study, study.responder);
    const answer = await newResponse(study, study.responder, night, { q1: 'well' });
    const { body } = await copy.get(`/investigation/${study.id}/responses`);
    expect(body.responses).toMatchObject([{ identifier: answer, items: { q1: 'well' } }]);
    expect((await copy.get(`/investigation/${study.id}/compliance`)).status).toBe(200);
    expectProblem(await copy.get(`/investigation/${study.id}/enrolments`), 'action.forbidden');
    const naps = created(await ada.post('/investigation', { name: 'Naps' })).identifier;
    expectProblem(await copy.get(`/investigation/${naps}/responses`), 'resource.not-found');
    expect((await copy.get('/investigation')).body.investigations).toMatchObject([{ identifier: study.id }]);
  });

  test('neither locks nor does anything else that writes', async () => {
    const copy = await newOne();
    const night = await newCase(study, study.responder);
    const refused = await changingNothing(() => lock(copy, study, { cases: [night] }));
    expectProblem(refused, 'action.forbidden');
    expectProblem(await changingNothing(() => copy.post('/user', { name: 'Mallory' })), 'action.forbidden');
    expectProblem(await changingNothing(() => copy.post('/user/me/token')), 'action.forbidden');
    expectProblem(await changingNothing(() => copy.delete(memberPath(copy))), 'action.forbidden');
  });

  test('is a member, which the log, the trail of access and the list of members show', async () => {
    const copy = await newOne({ label: 'R, every night' });
    later(2 * days);
    await copy.get(`/investigation/${study.id}/compliance`);
    await jobsDone();
    expect(await listed()).toMatchObject([{ lastUsedOn: '2027-03-03' }]);
    const { members } = (await ada.get(`/investigation/${study.id}/members?role=monitor`)).body;
    expect(members).toMatchObject([
      { identifier: copy.id, name: 'R, every night', role: 'monitor', program: true },
    ]);
    const { activities } = (await ada.get(`/investigation/${study.id}/activity?limit=1`)).body;
    expect(activities).toMatchObject([
      {
        action: 'member.added',
        actor: ada.id,
        details: { member: copy.id, program: 'R, every night', after: { role: 'monitor' } },
      },
    ]);
    const { people } = (await ada.get(`/investigation/${study.id}/access?from=2027-03-01`)).body;
    expect(people.find(({ user }: { user: string }) => user === copy.id)).toMatchObject({
      roles: [{ role: 'monitor', until: null }],
      days: [{ day: '2027-03-03' }],
    });
  });

  test('is not shown to those who take part', async () => {
    const copy = await newOne({ label: 'R, every night' });
    const { members } = (await study.responder.get(`/investigation/${study.id}/members`)).body;
    expect(members.map(({ identifier }: { identifier: string }) => identifier)).not.toContain(copy.id);
    expectProblem(await study.responder.get(`/user/${copy.id}`), 'resource.not-found');
  });
});

describe('the token of a program ends', () => {
  const isRefused = async (program: Person) => {
    expectProblem(await program.get('/investigation'), 'auth.token-invalid');
    const { token } = program;
    expectProblem(await elsewhere.send('/investigation', { token }), 'auth.token-invalid');
  };
  const isGood = async ({ token }: Person) =>
    expect((await elsewhere.send('/investigation', { token })).status).toBe(200);

  test('at once where an owner ends it, and within a minute everywhere', async () => {
    const [copy, other] = [await newOne(), await newOne({ label: 'A figure' })];
    await isGood(copy);
    const path = `/investigation/${study.id}/token/${copy.id}`;
    expectProblem(await study.editor.delete(path), 'action.forbidden');
    expect((await ada.delete(path)).status).toBe(204);
    expectProblem(await copy.get('/investigation'), 'auth.token-invalid');
    later(minutes);
    await isRefused(copy);
    await isGood(other);
    expect(await listed()).toMatchObject([{ identifier: other.id }]);
    expectProblem(await ada.delete(path), 'resource.not-found');
    const { activities } = (await ada.get(`/investigation/${study.id}/activity?limit=1`)).body;
    expect(activities).toMatchObject([{ action: 'member.removed', details: { member: copy.id } }]);
  });

  test('when it expires', async () => {
    const copy = await newOne({ label: 'For a day', expiresAt: inDays(1) });
    later(days - hours);
    await isGood(copy);
    later(hours + minutes);
    expectProblem(await copy.get('/investigation'), 'auth.token-expired');
    expectProblem(await elsewhere.send('/investigation', { token: copy.token }), 'auth.token-expired');
    expect(await listed()).toMatchObject([{ state: 'expired' }]);
  });

  const bea = async () => {
    const person = await newMember(world, study, 'Bea', 'owner');
    const program = await newProgram(world, person, study.id);
    await isGood(program);
    return { person, program };
  };
  const again = async (person: Person) => ada.patch(memberPath(person), { role: 'owner' });

  test.each([
    ['is an editor from then on', (person: Person) => ada.patch(memberPath(person), { role: 'editor' })],
    ['is removed', (person: Person) => ada.delete(memberPath(person))],
    ['leaves', (person: Person) => person.delete(memberPath(person))],
    ['deletes their account', (person: Person) => person.delete('/user/me')],
  ])('for good when the owner who made it %s', async (_, ends) => {
    const own = await newOne();
    const { person, program } = await bea();
    expect((await ends(person)).status).toBeLessThan(300);
    later(minutes);
    await isRefused(program);
    await again(person);
    later(minutes);
    await isRefused(program);
    await isGood(own);
    const states = (await listed()).map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(['active', 'ended']);
    expect((await ada.delete(`/investigation/${study.id}/token/${program.id}`)).status).toBe(204);
  });

  test('not when its maker has another role in another study', async () => {
    const naps = created(await ada.post('/investigation', { name: 'Naps' })).identifier;
    const copy = await newOne();
    const { person } = await bea();
    created(await ada.post(`/investigation/${naps}/member`, { user: person.id, role: 'owner' }));
    expect((await ada.delete(`/investigation/${naps}/member/${ada.id}`)).status).toBe(204);
    later(minutes);
    await isGood(copy);
  });
});

describe('a program stays what it is', () => {
  test.each(['owner', 'editor', 'responder'])('and does not become %s', async (role) => {
    const copy = await newOne();
    expectProblem(await changingNothing(() => ada.patch(memberPath(copy), { role })), 'action.forbidden');
  });

  test('nobody adds it to another study, or gives it a new code', async () => {
    const copy = await newOne();
    const naps = created(await ada.post('/investigation', { name: 'Naps' })).identifier;
    for (const role of ['monitor', 'responder'])
      expectProblem(
        await ada.post(`/investigation/${naps}/member`, { user: copy.id, role }),
        'resource.not-found',
      );
    expectProblem(await ada.post(`${memberPath(copy)}/relink`), 'action.forbidden');
  });

  test('its study is deleted, and it reads nothing any more', async () => {
    const copy = await newOne();
    await ada.patch(`/investigation/${study.id}`, { status: 'archived' });
    expect((await ada.delete(`/investigation/${study.id}`)).status).toBe(204);
    expectProblem(await copy.get(`/investigation/${study.id}/responses`), 'resource.not-found');
  });
});
