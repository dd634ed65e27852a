import { newCase, type Study } from '../studies.ts';
import { later, minutes } from './clock.ts';

/** An answer of Chidi's that is set aside: its case was archived a minute after it was given. Returns its identifier. */
export async function newSetAside(
  { id, survey, owner, responder }: Study,
  answer = 'dozed',
): Promise<string> {
  const nap = await newCase({ id }, responder, 'Nap');
  const at = new Date(Date.now()).toISOString();
  later(minutes);
  const archived = await owner.post(`/investigation/${id}/archive-items`, {
    cases: [{ identifier: nap }],
    status: 'archived',
  });
  if (archived.status !== 204) throw new Error(archived.text);
  const identifier = crypto.randomUUID().replaceAll('-', '');
  const body = { case: nap, items: { q1: answer }, at, identifier };
  const kept = await responder.post(`/survey/${survey}/response`, body);
  if (kept.status !== 202) throw new Error(`expected 202, got ${kept.status} ${kept.text}`);
  return identifier;
}
