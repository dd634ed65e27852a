import { expect } from 'vitest';
import { created, type Person } from '../people.ts';
import { diary, type Study } from '../studies.ts';
import { later } from './clock.ts';

export const site = { name: 'site', values: ['lyon', 'paris'] };
export const arm = { name: 'arm', values: ['a', 'b'] };
export const blindedArm = { ...arm, blinded: true };

/** Declares the properties of a study, all of them. */
export async function declare({ id, owner }: Study, ...properties: object[]) {
  const answer = await owner.patch(`/investigation/${id}`, { properties });
  expect(answer.status, answer.text).toBe(200);
}

/** Gives a member properties; null takes one away. */
export async function regroup(study: Study, of: Person, properties: Record<string, string | null>) {
  const answer = await study.owner.patch(`/investigation/${study.id}/member/${of.id}`, { properties });
  expect(answer.status, answer.text).toBe(200);
}

/** Lets a member of staff see a part of the study. */
export async function bound(study: Study, of: Person, scope: Record<string, string[]>) {
  const answer = await study.owner.patch(`/investigation/${study.id}/member/${of.id}`, { scope });
  expect(answer.status, answer.text).toBe(200);
}

/** A further survey of a study, made after the others. */
export async function newSurvey({ id, owner }: Study, survey: object) {
  later(1);
  const answer = await owner.post(`/investigation/${id}/survey`, { name: 'Pain', items: diary, ...survey });
  return String(created(answer).identifier);
}
