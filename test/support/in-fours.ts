import { expect } from 'vitest';
import type { Answer } from './people.ts';

/** The answers to requests of one person, four at once: as many as the service lets be under way. */
export async function inFours(count: number, send: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const four = Array.from({ length: Math.min(4, count - answers.length) }, (_, n) => answers.length + n);
    answers.push(...(await Promise.all(four.map(send))));
  }
  return answers;
}

/** As many were taken as there was room for, with those of four that read the last room together. */
export function expectTaken(answers: Answer[], room: number): void {
  const statuses = answers.map(({ status }) => status).toSorted();
  const taken = statuses.filter((status) => status === 201).length;
  expect(taken).toBeGreaterThanOrEqual(room);
  expect(taken).toBeLessThanOrEqual(room + 3);
  expect(statuses.slice(taken)).toEqual(Array(answers.length - taken).fill(409));
}
