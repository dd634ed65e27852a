import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock, newCase, newMember, newResponse, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let mona: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  mona = await newMember(world, study, 'Mona', 'monitor');
});

const identifiers = (list: { identifier: string }[]) => list.map(({ identifier }) => identifier);

test('a monitor sees what editors see, hidden cases too', async () => {
  const night = await newCase(study, study.responder, 'Night 1');
  const hidden = await newCase(study, study.editor, 'Hidden', true);
  const answer = await newResponse(study, study.responder, night);
  const { cases } = (await mona.get(`/investigation/${study.id}/cases`)).body;
  expect(identifiers(cases).toSorted()).toEqual([night, hidden].toSorted());
  const { responses } = (await mona.get(`/investigation/${study.id}/responses`)).body;
  expect(identifiers(responses)).toEqual([answer]);
  const { members } = (await mona.get(`/investigation/${study.id}/members`)).body;
  expect(members).toHaveLength(5);
});

test('a monitor locks and unlocks, and what is locked names them', async () => {
  const night = await newCase(study, study.responder);
  expect((await lock(mona, study, { cases: [night] })).status).toBe(204);
  const { cases } = (await study.owner.get(`/investigation/${study.id}/cases?include=lock`)).body;
  expect(cases).toMatchObject([{ lock: { actor: mona.id } }]);
  expectProblem(await study.responder.patch(`/case/${night}`, { label: 'Mine' }), 'item.locked');
  expect((await lock(mona, study, { cases: [night] }, 'unlocked')).status).toBe(204);
});

test('a monitor changes nothing, not even what they made as an editor', async () => {
  const night = await newCase(study, study.editor);
  const answer = await newResponse(study, study.editor, night);
  const { id } = study.editor;
  await study.owner.patch(`/investigation/${study.id}/member/${id}`, { role: 'monitor' });
  for (const path of [`/case/${night}`, `/response/${answer}`]) {
    const body = path.startsWith('/case') ? { label: 'Mine' } : { items: { q1: 'forged' } };
    expectProblem(await changingNothing(() => study.editor.patch(path, body)), 'action.forbidden');
  }
  const items = { cases: [{ identifier: night }], responses: [] };
  for (const [route, status] of [
    ['archive-items', 'archived'],
    ['delete-items', 'deleted'],
  ])
    expectProblem(
      await study.editor.post(`/investigation/${study.id}/${route}`, { ...items, status }),
      'action.forbidden',
    );
});

test('a monitor takes no part: neither a phone nor having been a participant makes one of them', async () => {
  await newPhone(mona);
  await newPhone(study.responder);
  await study.owner.patch(`/investigation/${study.id}/member/${study.responder.id}`, { role: 'monitor' });
  const { participants } = (await study.owner.get(`/investigation/${study.id}/compliance`)).body;
  expect(participants.map(({ user }: { user: string }) => user)).toEqual([study.other.id]);
  expectProblem(await mona.post(`/survey/${study.survey}/download`), 'action.forbidden');
});

test('those who take part do not see the monitors of a study, and its owner sees when they came', async () => {
  const { members } = (await study.responder.get(`/investigation/${study.id}/members`)).body;
  expect(identifiers(members)).not.toContain(mona.id);
  expectProblem(await study.responder.get(`/user/${mona.id}`), 'resource.not-found');
  const { people } = (await study.owner.get(`/investigation/${study.id}/access`)).body;
  expect(people.find(({ user }: { user: string }) => user === mona.id)).toMatchObject({
    roles: [{ role: 'monitor', since: '2027-03-01T08:00:00.000Z', until: null }],
  });
});
