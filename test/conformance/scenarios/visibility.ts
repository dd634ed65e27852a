import { type Person, signUp } from '../../support/people.ts';
import { newCase, newResponse, newStudy } from '../../support/studies.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** Each role reads and writes what it may, and learns nothing else. */
export async function visibility(world: ServiceWorld): Promise<void> {
  const study = await newStudy(world, { of: 'visibility' });
  const { owner, editor, responder } = study;
  const outsider = await signUp(world, 'Eve visibility');
  const open = await newCase(study, editor, 'Open');
  const hidden = await newCase(study, owner, 'Hidden', true);
  const own = await newCase(study, responder, 'Own');
  const answer = await newResponse(study, responder, open);
  const foreign = await newResponse(study, editor, hidden, { q1: 'badly' });
  await responder.post(`/survey/${study.survey}/response`, { case: hidden, items: {} });
  await responder.post(`/survey/${study.survey}/response`, { case: own, items: { q9: 'no such item' } });

  const reads = [
    '/investigation',
    `/investigation/${study.id}`,
    `/investigation/${study.id}/members`,
    `/investigation/${study.id}/surveys`,
    `/investigation/${study.id}/cases`,
    `/investigation/${study.id}/responses`,
    `/investigation/${study.id}/activity`,
    ...[open, hidden, own].map((id) => `/case/${id}`),
    ...[answer, foreign].flatMap((id) => [`/response/${id}`, `/response/${id}/revisions`]),
    `/survey/${study.survey}`,
    `/survey/${study.survey}/notifications?user=${responder.id}`,
    `/investigation/${study.id}/notifications?user=${responder.id}`,
    `/user/${owner.id}`,
    `/user/${owner.id}/devices`,
    '/case/not-an-identifier',
  ];
  for (const person of [owner, editor, responder, outsider]) for (const path of reads) await person.get(path);

  for (const person of [outsider, responder, editor, owner]) await write(person, study.id, open, hidden);
  await editor.delete(`/investigation/${study.id}/member/${responder.id}`);
  await owner.delete(`/investigation/${study.id}/member/${owner.id}`);
  await responder.delete(`/investigation/${study.id}/member/${responder.id}`);
  await responder.get(`/investigation/${study.id}`);
}

async function write(person: Person, study: string, open: string, hidden: string) {
  await person.patch(`/investigation/${study}`, { name: `Renamed by ${person.name}` });
  await person.post(`/investigation/${study}/survey`, { name: 'Another', items: [] });
  await person.patch(`/case/${open}`, { label: `Renamed by ${person.name}` });
  await person.patch(`/case/${hidden}`, { label: `Renamed by ${person.name}` });
  await person.post(`/investigation/${study}/lock-items`, {
    cases: [{ identifier: open }, { identifier: hidden }],
    status: 'locked',
  });
  await person.post(`/investigation/${study}/lock-items`, {
    cases: [{ identifier: open }],
    status: 'unlocked',
  });
  await person.post(`/investigation/${study}/lock-items`, {
    cases: [{ identifier: hidden }],
    status: 'unlocked',
  });
}
