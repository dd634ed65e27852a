import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { enrol, newParticipant, participantOf } from '../support/participants.ts';
import { type Answer, created, type Person } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { later, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let owner: Person;

beforeAll(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  owner = study.owner;
});

const participant = () => newParticipant(world, owner, study.id);
const relink = (of: Person, by = owner, id = study.id) =>
  by.post(`/investigation/${id}/member/${of.id}/relink`);

/** The participant joins a study of Eve's, who knows their identifier. */
async function joinElsewhere(chidi: Person) {
  const eve = await signUp('Eve');
  const hers = created(await eve.post('/investigation', { name: 'Hers' })).identifier as string;
  created(await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role: 'responder' }));
  return { eve, hers, leave: () => chidi.delete(`/investigation/${hers}/member/me`) };
}

/** The service, but something else happens before its first write. */
const interrupted = (meanwhile: () => Promise<unknown>) => newApp({ db: interruptedDb(meanwhile) });

describe('a participant of another study', () => {
  test('gets no code for a new phone, though that study is archived or deleted', async () => {
    const chidi = await participant();
    const { eve, hers } = await joinElsewhere(chidi);
    const refused = () => changingNothing(() => relink(chidi, study.editor));
    expectProblem(await refused(), 'member.elsewhere');
    await eve.patch(`/investigation/${hers}`, { status: 'archived' });
    expectProblem(await refused(), 'member.elsewhere');
    expect((await eve.delete(`/investigation/${hers}`)).status).toBe(204);
    expectProblem(await refused(), 'member.elsewhere');
  });

  test('gets one again after leaving, unless they have left an answer or a case there', async () => {
    const [empty, answered, made] = [await participant(), await participant(), await participant()];
    const left = await joinElsewhere(empty);
    await left.leave();
    expect((await relink(empty)).status).toBe(201);
    const { eve, hers, leave } = await joinElsewhere(answered);
    const survey = created(await eve.post(`/investigation/${hers}/survey`, { name: 'Food', items: diary }));
    const label = 'A day';
    const day = created(await eve.post(`/investigation/${hers}/case`, { label })).identifier;
    const answer = { case: day, items: { q1: 'soup' } };
    created(await answered.post(`/survey/${survey.identifier}/response`, answer));
    await leave();
    expectProblem(await relink(answered), 'member.elsewhere');
    const others = await joinElsewhere(made);
    created(await made.post(`/investigation/${others.hers}/case`, { label }));
    await others.leave();
    expectProblem(await relink(made), 'member.elsewhere');
  });

  test('gets none either if that study is the older one', async () => {
    const eve = await signUp('Eve');
    const hers = created(await eve.post('/investigation', { name: 'Hers' })).identifier;
    const survey = created(await eve.post(`/investigation/${hers}/survey`, { name: 'Food', items: diary }));
    const day = created(await eve.post(`/investigation/${hers}/case`, { label: 'A day' })).identifier;
    later(1);
    const newer = created(await owner.post('/investigation', { name: 'Newer' })).identifier;
    const chidi = await newParticipant(world, owner, newer);
    created(await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role: 'responder' }));
    created(await chidi.post(`/survey/${survey.identifier}/response`, { case: day, items: { q1: 'soup' } }));
    await chidi.delete(`/investigation/${hers}/member/me`);
    expectProblem(await relink(chidi, owner, newer), 'member.elsewhere');
  });

  test('cannot use a code that was made while they were in one study only', async () => {
    const chidi = await participant();
    const { code } = created(await relink(chidi));
    const { leave } = await joinElsewhere(chidi);
    expectProblem(await changingNothing(() => enrol(world, code)), 'resource.not-found');
    expect((await chidi.get('/user/me')).status, 'their own token').toBe(200);
    await leave();
    expect((await enrol(world, code)).status).toBe(200);
  });

  test('is one as soon as they join: while a code is made, and while one is used', async () => {
    const chidi = await participant();
    const { send: make } = interrupted(() => joinElsewhere(chidi));
    const path = `/investigation/${study.id}/member/${chidi.id}/relink`;
    expectProblem(await make(path, { method: 'POST', token: owner.token }), 'member.elsewhere');
    const dana = await participant();
    const { code } = created(await relink(dana));
    expectProblem(
      await enrol(
        interrupted(() => joinElsewhere(dana)),
        code,
      ),
      'resource.not-found',
    );
    expect((await dana.get('/user/me')).status).toBe(200);
  });
});

describe('a code for a new phone, while somebody uses it', () => {
  test('works for one of two phones', async () => {
    const chidi = await participant();
    const { code, identifier } = created(await relink(chidi));
    // As another process answers the other phone.
    const other = () =>
      env.DB.batch([
        env.DB.prepare('update enrolment set used = used + 1 where id = ?').bind(identifier),
        env.DB.prepare("update user set subject = 'of the other phone' where id = ?").bind(chidi.id),
      ]);
    expectProblem(await enrol(interrupted(other), code), 'resource.not-found');
    const subject = env.DB.prepare('select subject from user where id = ?').bind(chidi.id);
    expect(await subject.first('subject')).toBe('of the other phone');
  });

  test('works for one of eight phones at once, whose token is the only one', async () => {
    const chidi = await participant();
    const { code } = created(await relink(chidi));
    const answers = await Promise.all(Array.from({ length: 8 }, () => enrol(world, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)]);
    const [linked] = answers.filter(({ status }) => status === 200);
    expect((await participantOf(world, linked as Answer).get('/user/me')).status).toBe(200);
    expectProblem(await chidi.get('/user/me'), 'auth.token-invalid');
  });

  test.each([
    ['ends', (_: Person, code: string) => owner.delete(`/enrolment/${code}`)],
    ['loses its participant', (of: Person) => owner.delete(`/investigation/${study.id}/member/${of.id}`)],
  ] as const)('gives nothing if it %s', async (_, meanwhile) => {
    const chidi = await participant();
    const { code, identifier } = created(await relink(chidi));
    const phone = interrupted(async () => expect((await meanwhile(chidi, identifier)).status).toBe(204));
    expectProblem(await enrol(phone, code), 'resource.not-found');
    expect((await chidi.get('/user/me')).status, 'their own token').toBe(200);
  });

  test('gives nothing in a study that is archived meanwhile', async () => {
    const over = created(await owner.post('/investigation', { name: 'Over' })).identifier;
    const chidi = await newParticipant(world, owner, over);
    const { code } = created(await relink(chidi, owner, over));
    const phone = interrupted(() => owner.patch(`/investigation/${over}`, { status: 'archived' }));
    expectProblem(await enrol(phone, code), 'resource.not-found');
    expect((await chidi.get('/user/me')).status).toBe(200);
  });
});
