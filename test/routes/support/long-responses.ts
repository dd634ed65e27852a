import { env } from 'cloudflare:workers';
import type { Study } from '../../support/studies.ts';
import { sleepStudy } from './world.ts';

export const manyItems = Array.from({ length: 20 }, (_, n) => ({
  identifier: `q${n}`,
  label: `Question ${n}`,
}));

/** About a megabyte of answers. */
export const longAnswers = Object.fromEntries(
  manyItems.slice(0, 16).map(({ identifier }) => [identifier, 'x'.repeat(60_000)]),
);

/** A study that asks all of {@link manyItems}. */
export async function studyOfManyItems(): Promise<Study> {
  const study = await sleepStudy();
  await study.owner.patch(`/survey/${study.survey}`, { items: manyItems });
  return study;
}

/** What the revisions of a response take on disk. */
export async function storedBytes(response: string): Promise<number> {
  const bytes = await env.DB.prepare(
    'select sum(octet_length(items) + octet_length(reasons)) as bytes from response_revision where response_id = ?',
  )
    .bind(response)
    .first<number>('bytes');
  return bytes ?? 0;
}
