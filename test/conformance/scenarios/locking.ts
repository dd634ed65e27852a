import { newCase, newResponse, newStudy } from '../../support/studies.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** The interface's own endpoint, its analogues, and what a lock prevents. */
export async function locking(world: ServiceWorld): Promise<void> {
  const study = await newStudy(world, { of: 'locking' });
  const { owner, responder } = study;
  const night = await newCase(study, owner);
  const answer = await newResponse(study, responder, night);
  const items = (path: string, body: object) => owner.post(`/investigation/${study.id}/${path}`, body);
  const both = { cases: [{ identifier: night }], responses: [{ identifier: answer }] };

  await items('lock-items', { status: 'locked' });
  await items('lock-items', { cases: [], responses: [], status: 'locked' });
  await items('lock-items', { ...both, status: 'closed' });
  await items('lock-items', { ...both, responses: [{ identifier: 'f'.repeat(32) }], status: 'locked' });
  await owner.get(`/case/${night}`);

  await items('lock-items', { ...both, status: 'locked', reason: 'The night is over.' });
  await items('lock-items', { ...both, status: 'locked' });
  await owner.get(`/investigation/${study.id}/cases`);
  await owner.get(`/investigation/${study.id}/responses?locked=true`);
  await responder.get(`/response/${answer}`);
  await responder.patch(`/response/${answer}`, { items: { q1: 'changed' } });
  await owner.patch(`/case/${night}`, { label: 'changed' });
  await responder.post(`/survey/${study.survey}/response`, { case: night, items: {} });
  await items('archive-items', { ...both, status: 'archived' });
  await items('delete-items', { ...both, status: 'deleted' });

  await items('lock-items', { ...both, status: 'unlocked' });
  const { headers } = await owner.get(`/case/${night}`);
  await owner.patch(`/case/${night}`, { label: 'Night one' }, { 'if-match': headers.get('etag') ?? '' });
  await owner.patch(`/case/${night}`, { label: 'too late' }, { 'if-match': headers.get('etag') ?? '' });
  await responder.patch(`/response/${answer}`, { items: { q1: null, q2: 'at eight' }, reasons: { q1: 3 } });
  await owner.get(`/response/${answer}/revisions`);

  await items('archive-items', { ...both, status: 'archived' });
  await owner.get(`/investigation/${study.id}/cases`);
  await owner.get(`/investigation/${study.id}/cases?status=archived`);
  await items('archive-items', { ...both, status: 'active' });
  await items('delete-items', { ...both, status: 'deleted' });
  await owner.get(`/case/${night}`);
  await items('delete-items', { ...both, status: 'active' });
  await owner.get(`/response/${answer}`);
  await owner.get(`/investigation/${study.id}/activity`);
  await owner.get(`/investigation/${study.id}/activity?action=items.locked&item=${night}`);
  await owner.get(`/investigation/${study.id}/activity/verify`);
}
