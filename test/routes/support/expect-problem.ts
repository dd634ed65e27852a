import { expect } from 'vitest';
import { catalogue, type ProblemCode } from '../../../src/errors.ts';
import type { Answer } from '../../support/people.ts';
import { differences, dump } from './dumps.ts';

/** That the answer is a whole problem document (RFC 9457) of this code, with these pointers when given. */
export function expectProblem(answer: Answer, code: ProblemCode, pointers?: string[]) {
  const { status, title } = catalogue[code];
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ type: `/problems/${code}`, title, status, code });
  expect(answer.body.detail.length, answer.text).toBeGreaterThan(10);
  expect(answer.text).not.toMatch(/sqlite|drizzle|\bselect\b.*\bfrom\b|\bat .*\.ts:/i);
  for (const { pointer, detail, ...rest } of answer.body.errors ?? []) {
    expect(pointer).toMatch(/^(?:#\/(?:query|header))?(?:\/|$)/);
    expect(detail.length).toBeGreaterThan(10);
    expect(rest).toEqual({});
  }
  if (pointers)
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
}

/** Runs it and expects every table to be as it was. */
export async function changingNothing<T>(work: () => Promise<T>): Promise<T> {
  const before = await dump();
  const result = await work();
  expect(differences(before, await dump())).toEqual({});
  return result;
}
