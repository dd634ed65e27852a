import { expect } from 'vitest';
import { item } from '../../support/items.ts';
import { responseIn } from '../../support/studies.ts';
import { hours, setClock, startOfTests } from '../../support/worker/clock.ts';
import { type OfflineStudy, offlineStudy } from './late-answers.ts';

/** The n-th hour of a study. */
export const hour = (n: number) => startOfTests + n * hours;

/** Items so long that the log has their length alone. */
export const tooLong = (answer?: object) =>
  Array.from({ length: 60 }, (_, n) => item(`q${n}`, n === 0 ? answer : undefined, 'x'.repeat(1_900)));

export interface ChangingStudy extends OfflineStudy {
  /** Sets the items of the survey at an hour. */
  change: (n: number, items: object[]) => Promise<void>;
  /** Chidi answers at an hour. */
  answer: (n: number, items: object, more?: object) => Promise<string>;
}

/** A study whose survey has these items since the first hour. */
export async function changingStudy(items: object[]): Promise<ChangingStudy> {
  const study = await offlineStudy();
  const change = async (n: number, next: object[]) => {
    setClock(hour(n));
    const { status, text } = await study.editor.patch(`/survey/${study.survey}`, { items: next });
    expect(status, text).toBe(200);
  };
  const answer = async (n: number, given: object, more: object = {}) => {
    setClock(hour(n));
    const body = { case: study.night, items: given, ...more };
    return responseIn(await study.chidi.post(`/survey/${study.survey}/response`, body));
  };
  await change(1, items);
  return { ...study, change, answer };
}
