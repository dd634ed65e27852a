import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import { plan } from '../engine.ts';
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
  if (answer.status === 400) return regroupInPlace(study, of, properties);
  expect(answer.status, answer.text).toBe(200);
}

async function regroupInPlace(study: Study, of: Person, properties: Record<string, string | null>) {
  const given = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, value === null ? null : [value, Date.now()]]),
  );
  await env.DB.prepare(
    "update member set properties = nullif(json_patch(coalesce(properties, '{}'), ?1), '{}') where investigation_id = ?2 and user_id = ?3",
  )
    .bind(JSON.stringify(given), study.id, of.id)
    .run();
  await plan({ ...createServices(env), log: () => {} }, [of.id]);
}

/** Lets a member of staff see a part of the study. */
export async function bound(study: Study, of: Person, scope: Record<string, string[]>) {
  const answer = await study.owner.patch(`/investigation/${study.id}/member/${of.id}`, { scope });
  if (answer.status === 400)
    await env.DB.prepare('update member set scope = ?1 where investigation_id = ?2 and user_id = ?3')
      .bind(JSON.stringify(scope), study.id, of.id)
      .run();
  else expect(answer.status, answer.text).toBe(200);
}

/** A further survey of a study, made after the others. */
export async function newSurvey({ id, owner }: Study, survey: object) {
  later(1);
  const answer = await owner.post(`/investigation/${id}/survey`, { name: 'Pain', items: diary, ...survey });
  return String(created(answer).identifier);
}
