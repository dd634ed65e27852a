import { beforeEach, describe, expect, test } from 'vitest';
import { enrol, newParticipant, participantOf } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let chidi: Person;
beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  chidi = await newParticipant(world, study.owner, study.id);
});

const ask = (of = chidi) => of.post('/user/me/relink');
const relink = () => study.owner.post(`/investigation/${study.id}/member/${chidi.id}/relink`);

describe('a code that a participant makes for another page of theirs', () => {
  test('makes that page theirs, once, and ends the token of the first', async () => {
    const { code, url, expiresAt } = created(await ask());
    expect(url).toMatch(new RegExp(`/p/#${code}$`));
    expect(expiresAt).toBe(new Date(startOfTests + 60 * minutes).toISOString());
    const used = await enrol(world, code);
    expect([used.status, used.body.user.identifier]).toEqual([200, chidi.id]);
    expect((await participantOf(world, used).get('/user/me')).status).toBe(200);
    expectProblem(await chidi.get('/user/me'), 'auth.token-invalid');
    expectProblem(await enrol(world, code), 'resource.not-found');
  });

  test('is good for an hour, given again while it is fresh, and logged once', async () => {
    const { code } = created(await ask());
    later(29 * minutes);
    const same = await changingNothing(() => ask());
    expect([same.status, same.body.code]).toEqual([200, code]);
    later(2 * minutes);
    const next = created(await ask());
    expect(next.code).not.toBe(code);
    expectProblem(await enrol(world, code), 'resource.not-found');
    later(60 * minutes);
    expectProblem(await enrol(world, next.code), 'resource.not-found');
    const path = `/investigation/${study.id}/activity?action=member.relinked`;
    const { activities, ...rest } = (await study.owner.get(path)).body;
    expect(activities.map(({ actor }: { actor: string }) => actor)).toEqual([chidi.id, chidi.id]);
    expect(JSON.stringify([activities, rest])).not.toContain(next.code);
  });

  test('leaves that of the team as it is, which takes its place', async () => {
    const theirs = created(await relink());
    const own = created(await ask());
    expect((await enrol(world, theirs.code)).status).toBe(200);
    expectProblem(await enrol(world, own.code), 'resource.not-found');
  });

  test('ends with the tokens of the phone that made it', async () => {
    const { code } = created(await ask());
    expect((await chidi.delete('/user/me/tokens')).status).toBe(204);
    expectProblem(await enrol(world, code), 'resource.not-found');
  });

  test('is for people who take part by a code, here and nowhere else', async () => {
    expectProblem(await changingNothing(() => ask(study.responder)), 'action.forbidden');
    const eve = await signUp('Eve');
    const hers = created(await eve.post('/investigation', { name: 'Hers' })).identifier;
    created(await eve.post(`/investigation/${hers}/member`, { user: chidi.id, role: 'responder' }));
    expectProblem(await changingNothing(() => ask()), 'member.elsewhere');
    const dana = await newParticipant(world, study.owner, study.id);
    await dana.delete(`/investigation/${study.id}/member/me`);
    expectProblem(await changingNothing(() => ask(dana)), 'resource.not-found');
    const lee = await newParticipant(world, study.owner, study.id);
    const open = created(await ask(await newParticipant(world, study.owner, study.id)));
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    expectProblem(await changingNothing(() => ask(lee)), 'study.archived');
    expectProblem(await enrol(world, open.code), 'resource.not-found');
  });
});
