import { beforeEach, describe, expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import { newParticipant } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
});
const path = () => `/investigation/${study.id}/case`;
const labelBy = async (person: Person) => created(await person.post(path(), {})).label;
const joining = (name?: string) => newParticipant(world, study.owner, study.id, name ? { name } : {});

describe('a case without a label', () => {
  test('has the number of its participant, whatever they are called, and it stays', async () => {
    const [first, dilek] = [await joining(), await joining('Dilek Aydın')];
    expect([first.name, dilek.name]).toEqual(['Participant 1', 'Dilek Aydın']);
    await first.delete(`/investigation/${study.id}/member/me`);
    expect(await labelBy(dilek)).toBe('Participant 2');
    await joining();
    expect(await labelBy(dilek)).toBe('Participant 2');
  });

  test('has the code of its participant, from when they have one', async () => {
    const dilek = await joining('Dilek Aydın');
    await study.editor.patch(`/investigation/${study.id}/member/${dilek.id}`, { code: 'P-017' });
    expect(await labelBy(dilek)).toBe('P-017');
  });

  test('has a number that nobody else has, also of people who were invited', async () => {
    const dilek = await joining();
    const labels = [
      await labelBy(study.responder),
      await labelBy(dilek),
      await labelBy(study.other),
      await labelBy(await joining()),
      await labelBy(study.responder),
    ];
    expect(labels).toEqual([2, 1, 3, 4, 2].map((n) => `Participant ${n}`));
  });

  test('is found by a repeat, though the code came meanwhile; with a label it is another', async () => {
    const dilek = await joining('Dilek Aydın');
    const identifier = newIdentifier(Date.now());
    const first = created(await dilek.post(path(), { identifier }));
    await study.editor.patch(`/investigation/${study.id}/member/${dilek.id}`, { code: 'P-017' });
    const repeat = await dilek.post(path(), { identifier });
    expect([repeat.status, repeat.body.label]).toEqual([200, first.label]);
    expectProblem(await dilek.post(path(), { identifier, label: first.label }), 'identifier.taken');
  });

  test('leaves no number behind where none can be made', async () => {
    await study.owner.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'Lock' });
    expectProblem(await changingNothing(() => study.responder.post(path(), {})), 'study.frozen');
    await study.owner.post(`/investigation/${study.id}/freeze`, { status: 'unfrozen', reason: 'Over' });
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    expectProblem(await changingNothing(() => study.responder.post(path(), {})), 'study.archived');
  });

  test('keeps no name of a person who has deleted their account', async () => {
    const dilek = await joining('Dilek Aydın');
    const made = created(await dilek.post(path(), {}));
    const answers = { case: made.identifier, items: { q1: 'well' } };
    created(await dilek.post(`/survey/${study.survey}/response`, answers));
    await study.owner.post(`/investigation/${study.id}/lock-items`, {
      cases: [{ identifier: made.identifier }],
      status: 'locked',
    });
    expect((await dilek.delete('/user/me')).status).toBe(204);
    const reads = [
      `/investigation/${study.id}/cases`,
      `/investigation/${study.id}/responses`,
      `/investigation/${study.id}/changes?after=0&include=body`,
      `/investigation/${study.id}/activity`,
      `/investigation/${study.id}/members`,
      `/investigation/${study.id}/compliance`,
      '/user/me/export',
    ];
    for (const read of reads) {
      const { text, status } = await study.owner.get(read);
      expect(status, read).toBe(200);
      expect(text, read).not.toMatch(/Dilek|Aydın/);
    }
    for (const csv of reads.slice(0, 2)) {
      const { text } = await study.owner.get(csv, { accept: 'text/csv' });
      expect(text).toContain('Participant 1');
      expect(text).not.toMatch(/Dilek|Aydın/);
    }
  });
});
