import { expect, test } from 'vitest';
import { catalogue, rootMessage } from '../../src/errors.ts';

const entries = Object.entries(catalogue);

test('the catalogue is in order of status', () => {
  const statuses = entries.map(([, { status }]) => status);
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
});

test('every problem has a dotted code, a title and a meaning in whole sentences', () => {
  for (const [code, { status, title, meaning }] of entries) {
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*$/);
    expect(status, code).toBeGreaterThanOrEqual(400);
    expect(title, code).toMatch(/^[A-Z][^.]{3,80}$/);
    expect(meaning, code).toMatch(/^[A-Z][\s\S]+\.$/);
  }
  expect(new Set(entries.map(([, { title }]) => title)).size).toBe(entries.length);
});

test("the log gets the driver's words, not the statement and its parameters", () => {
  const driver = new Error('D1_ERROR: no such table: user');
  const query = new Error('Failed query: select * from user params: secret', { cause: driver });
  expect(rootMessage(query)).toBe('Error: D1_ERROR: no such table: user');
  expect(rootMessage('plain')).toBe('plain');
  expect(rootMessage(new Error('x'.repeat(1000)))).toHaveLength(300);
});
