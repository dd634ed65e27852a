import { expect } from 'vitest';
import { catalogue, type Fault, type ProblemCode } from '../../../src/errors.ts';
import type { Answer } from '../people.ts';
import { differences, dump } from './dumps.ts';
import { jobsDone } from './reminders.ts';

/** That the answer is a whole problem document (RFC 9457) of this code; `places` are pointers, or `?` and a parameter. */
export function expectProblem(answer: Answer, code: ProblemCode, places?: string[]) {
  const { status, title } = catalogue[code];
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ type: `/problems/${code}`, title, status, code });
  expect(answer.body.detail.length, answer.text).toBeGreaterThan(10);
  expect(answer.text).not.toMatch(/sqlite|drizzle|\bselect\b.*\bfrom\b|\bat .*\.ts:/i);
  const faults: Fault[] = answer.body.errors ?? [];
  for (const { detail } of faults) expect(detail.length).toBeGreaterThan(10);
  if (places) expect(faults.map(({ pointer, parameter }) => pointer ?? `?${parameter}`)).toEqual(places);
}

/** Runs it, once what was asked for before is done, and expects every table to be as it was. */
export async function changingNothing<T>(work: () => Promise<T>): Promise<T> {
  await jobsDone();
  const before = await dump();
  const result = await work();
  expect(differences(before, await dump())).toEqual({});
  return result;
}
