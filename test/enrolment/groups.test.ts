import { describe, expect, test } from 'vitest';
import { enrol, newCode, participantOf } from '../support/participants.ts';
import { created, type Person, signedIn } from '../support/people.ts';
import { newMember, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}`;

/** Ada's trial at two sites, with blinded arms; Bruno edits all of it, and Léa Lyon. */
async function trial() {
  setClock(startOfTests);
  const study = await sleepStudy();
  const properties = [
    { name: 'site', values: ['lyon', 'paris', 'nice'] },
    { name: 'arm', values: ['a', 'b'], blinded: true },
    { name: 'ward', values: ['1', '2'] },
  ];
  expect((await study.owner.patch(path(study), { properties })).status).toBe(200);
  const lea = await newMember(world, study, 'Léa', 'editor');
  await change(study, lea, { scope: { site: ['lyon'] } });
  return { ...study, lea };
}

async function change(study: Study, person: Person, body: object) {
  const answer = await study.owner.patch(`${path(study)}/member/${person.id}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const joinBy = async ({ code }: { code: string }) => participantOf(world, await enrol(world, code));
const memberFor = async (study: Study, by: Person, { id }: Person) =>
  (await by.get(`${path(study)}/members`)).body.members.find(
    ({ identifier }: { identifier: string }) => identifier === id,
  );
const codesFor = async (study: Study, by: Person) =>
  (await by.get(`${path(study)}/enrolments`)).body.enrolments.map(
    ({ identifier }: { identifier: string }) => identifier,
  );

describe('a code with properties', () => {
  test('gives them to the people who use it', async () => {
    const study = await trial();
    const code = await newCode(study.owner, study.id, { properties: { site: 'lyon', arm: 'b' } });
    expect(code.properties).toEqual({ site: 'lyon', arm: 'b' });
    const paul = await joinBy(code);
    expect((await memberFor(study, study.owner, paul)).properties).toEqual({ site: 'lyon', arm: 'b' });
    const [entry] = (await study.owner.get(`${path(study)}/activity?action=enrolment.added`)).body.activities;
    expect(entry.details.after).toMatchObject({ properties: { site: 'lyon', arm: 'b' } });
  });

  test('names what the study declares', async () => {
    const study = await trial();
    const make = (by: Person, properties: object) =>
      changingNothing(() => by.post(`${path(study)}/enrolment`, { properties }));
    expectProblem(await make(study.owner, { site: 'rome' }), 'request.invalid', ['/properties/site']);
    expectProblem(await make(study.owner, { city: 'lyon' }), 'request.invalid', ['/properties/city']);
    expectProblem(await make(study.editor, { arm: 'a' }), 'request.invalid', ['/properties/arm']);
  });

  test('of a blinded one is there for owners alone, also beside the people who used it', async () => {
    const study = await trial();
    const { owner, editor: bruno } = study;
    const blinded = await newCode(owner, study.id, { properties: { arm: 'a' } });
    const open = await newCode(owner, study.id, { properties: { site: 'paris' } });
    const [paul, quentin] = [await joinBy(blinded), await joinBy(open)];
    expect(await codesFor(study, owner)).toEqual([blinded.identifier, open.identifier]);
    expect(await codesFor(study, bruno)).toEqual([open.identifier]);
    for (const path of [`/enrolment/${blinded.identifier}`, `/enrolment/${blinded.identifier}/qr`])
      expectProblem(await bruno.get(path), 'resource.not-found');
    expectProblem(await bruno.delete(`/enrolment/${blinded.identifier}`), 'resource.not-found');
    expect(await memberFor(study, owner, paul)).toMatchObject({
      enrolment: { identifier: blinded.identifier },
    });
    const seen = await memberFor(study, bruno, paul);
    for (const field of ['enrolment', 'properties', 'agreedTo']) expect(seen).not.toHaveProperty(field);
    expect(await memberFor(study, bruno, quentin)).toMatchObject({
      enrolment: { identifier: open.identifier },
    });
    expect((await bruno.get(`${path(study)}/member/${paul.id}`)).body).not.toHaveProperty('enrolment');
    // Paul may not learn it either: others with the same code have the same arm.
    const exported = async (of: Person) => (await of.get('/user/me/export')).text;
    expect(await exported(paul)).not.toContain(blinded.identifier);
    expect(await exported(paul)).not.toContain('"arm"');
    expect(await exported(quentin)).toContain(open.identifier);
    expect(await exported(quentin)).toContain('"site":"paris"');
  });

  test('of editors with a scope is within it: a name with one value is filled in', async () => {
    const study = await trial();
    const { owner, lea } = study;
    const paris = await newCode(owner, study.id, { properties: { site: 'paris' } });
    const anywhere = await newCode(owner, study.id);
    const lyon = await newCode(lea, study.id, { properties: { ward: '1' } });
    expect(lyon.properties).toEqual({ site: 'lyon', ward: '1' });
    expect(await codesFor(study, lea)).toEqual([lyon.identifier]);
    for (const { identifier } of [paris, anywhere]) {
      expectProblem(await lea.get(`/enrolment/${identifier}`), 'resource.not-found');
      expectProblem(await lea.delete(`/enrolment/${identifier}`), 'resource.not-found');
    }
    const outside = await lea.post(`${path(study)}/enrolment`, { properties: { site: 'paris' } });
    expectProblem(outside, 'request.invalid', ['/properties/site']);
    await change(study, lea, { scope: { site: ['lyon', 'paris'] } });
    expectProblem(await lea.post(`${path(study)}/enrolment`, {}), 'request.invalid', ['/properties/site']);
    expect(await codesFor(study, lea)).toEqual([paris.identifier, lyon.identifier]);
    expect((await lea.delete(`/enrolment/${paris.identifier}`)).status).toBe(204);
  });

  test('is a new code of its maker under the same identifier, however its scope fills it in', async () => {
    const study = await trial();
    const identifier = 'a'.repeat(32);
    const first = await newCode(study.lea, study.id, { identifier });
    const again = await study.lea.post(`${path(study)}/enrolment`, { identifier });
    expect([again.status, again.body]).toEqual([200, first]);
    const other = { identifier, properties: { ward: '1' } };
    expectProblem(await study.lea.post(`${path(study)}/enrolment`, other), 'identifier.taken');
  });
});

test('a new token is for editors who see the participant, and so is its code', async () => {
  const study = await trial();
  const { owner, editor: bruno, lea } = study;
  const [lyon, paris] = [
    await joinBy(await newCode(owner, study.id, { properties: { site: 'lyon', arm: 'a' } })),
    await joinBy(await newCode(owner, study.id, { properties: { site: 'paris' } })),
  ];
  const relink = (by: Person, { id }: Person) => by.post(`${path(study)}/member/${id}/relink`);
  expectProblem(await changingNothing(() => relink(lea, paris)), 'resource.not-found');
  const made = created(await relink(lea, lyon));
  expect((await lea.get(`/enrolment/${made.identifier}`)).status).toBe(200);
  const elsewhere = created(await relink(bruno, paris));
  expectProblem(await lea.get(`/enrolment/${elsewhere.identifier}`), 'resource.not-found');
});

test('a program reads a part of a study', async () => {
  const study = await trial();
  const { owner } = study;
  const ada = await signedIn(world, owner);
  const [lyon, paris] = [
    await joinBy(await newCode(owner, study.id, { properties: { site: 'lyon' } })),
    await joinBy(await newCode(owner, study.id, { properties: { site: 'paris' } })),
  ];
  const make = (scope: object | null) =>
    ada.post(`${path(study)}/token`, {
      label: 'Lyon, nightly',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      scope,
    });
  expectProblem(await make({ arm: ['a'] }), 'request.invalid', ['/scope/arm']);
  const program = created(await make({ site: ['lyon'] }));
  expect(program.scope).toEqual({ site: ['lyon'] });
  expect((await owner.get(`${path(study)}/tokens`)).body.tokens).toMatchObject([
    { scope: { site: ['lyon'] } },
  ]);
  const [entry] = (await owner.get(`${path(study)}/activity`)).body.activities;
  expect(entry).toMatchObject({
    action: 'member.added',
    details: { after: { role: 'monitor', scope: { site: ['lyon'] } } },
  });
  const reader = participantOf(world, {
    body: { user: { name: 'Lyon, nightly', identifier: program.identifier }, token: program.token },
    text: '',
  } as never);
  expect((await memberFor(study, reader, lyon)).properties).toEqual({ site: 'lyon' });
  expect(await memberFor(study, reader, paris)).toBeUndefined();
});
