import type { Study } from '../../support/studies.ts';
import { sleepStudy } from '../../support/worker/world.ts';

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
