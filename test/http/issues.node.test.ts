import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Fault } from '../../src/errors.ts';
import { bodyFaults, expectation, queryFaults } from '../../src/http/issues.ts';
import { libraryPhrase } from '../support/library-phrases.ts';

/** For each kind of issue that zod has: the error of a schema without messages of its own. */
const kinds = {
  invalid_type: [
    [z.string(), 5, 'Expected a text.'],
    [z.string(), undefined, 'Missing: expected a text.'],
    [z.number(), 'x', 'Expected a number.'],
    [z.number(), Number.NaN, 'Expected a number.'],
    [z.number(), Number.POSITIVE_INFINITY, 'Expected a number.'],
    [z.int(), 1.5, 'Expected a whole number.'],
    [z.boolean(), null, 'Expected true or false.'],
    [z.array(z.any()), {}, 'Expected a list.'],
    [z.tuple([z.any()]), {}, 'Expected a list.'],
    [z.strictObject({}), [], 'Expected an object.'],
    [z.record(z.string(), z.any()), null, 'Expected an object.'],
    [z.null(), 1, 'Expected null.'],
    [z.date(), 'x', 'Expected a date.'],
    [z.bigint(), 1, 'Expected a value of the documented type.'],
    [z.never(), 1, 'Expected a value of the documented type.'],
  ],
  too_small: [
    [z.string().min(2), 'x', 'Too short: expected at least 2 characters.'],
    [z.string().length(2), 'x', 'Too short: expected exactly 2 characters.'],
    [z.array(z.any()).min(1), [], 'Too short: expected at least 1 element.'],
    [z.set(z.any()).min(1), new Set(), 'Too short: expected at least 1 element.'],
    [z.number().min(2), 1, 'Too small: expected at least 2.'],
    [z.number().gt(2), 2, 'Too small: expected more than 2.'],
    [z.tuple([z.any(), z.any()]), [1], 'Too short: expected at least 2 elements.'],
  ],
  too_big: [
    [z.string().max(2), 'xxx', 'Too long: expected at most 2 characters.'],
    [z.array(z.any()).max(1), [1, 2], 'Too long: expected at most 1 element.'],
    [z.number().max(2), 3, 'Too large: expected at most 2.'],
    [z.number().lt(2), 2, 'Too large: expected less than 2.'],
    [z.int32(), 2 ** 31, 'Too large: expected at most 2147483647.'],
  ],
  invalid_format: [
    [z.string().regex(/^a$/), 'b', 'Expected a text of the documented form.'],
    [z.email(), 'b', 'Expected an e-mail address.'],
    [z.iso.datetime(), 'b', 'Expected an instant in ISO 8601, such as 2026-03-29T01:30:00.000Z.'],
    [z.iso.date(), 'b', 'Expected a date: YYYY-MM-DD.'],
    [z.string().startsWith('a'), 'b', 'Expected a text of the documented form.'],
    [z.uuid(), 'b', 'Expected a text of the documented form.'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 3, 'Expected a multiple of 5.']],
  unrecognized_keys: [
    [z.strictObject({}), { x: 1 }, "Unknown field 'x': expected only the documented ones."],
  ],
  invalid_union: [
    [z.union([z.string(), z.number()]), null, 'Expected one of the documented forms.'],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]),
      { type: 'b' },
      'Expected one of the documented forms.',
    ],
  ],
  invalid_key: [
    [z.record(z.string().min(3), z.any()), { x: 1 }, 'Too short: expected at least 3 characters.'],
  ],
  invalid_element: [
    [z.map(z.date(), z.string()), new Map([[new Date(0), 1]]), 'Expected an element of the documented form.'],
  ],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'Expected a or b.'],
    [z.literal(1), 2, 'Expected 1.'],
  ],
  custom: [[z.string().refine(() => false), 'x', 'Expected a value of the documented form.']],
} satisfies Record<z.core.$ZodIssueCode, [z.ZodType, unknown, string][]>;

const rows = Object.entries(kinds).flatMap(([kind, cases]) =>
  cases.map(([schema, value, detail]) => ({ kind, schema, value, detail })),
);

test.each(rows)('$kind: $detail', ({ kind, schema, value, detail }) => {
  const issues = schema.safeParse(value, { error: expectation }).error?.issues ?? [];
  expect(issues.map(({ code }) => code)).toContain(kind);
  expect(issues.flatMap(bodyFaults).map((fault) => fault.detail)).toEqual([detail]);
});

test("zod's own messages are known as phrases of the library", () => {
  for (const { kind, schema, value } of rows) {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    expect(issue?.message, kind).toMatch(libraryPhrase);
  }
});

const faultsOf = (schema: z.ZodType, value: unknown, faults: (issue: z.core.$ZodIssue) => Fault[]) =>
  (schema.safeParse(value, { error: expectation }).error?.issues ?? []).flatMap(faults);

test('a fault of the body has a JSON pointer, one of the query its parameter', () => {
  const schema = z.strictObject({ 'a/b': z.array(z.strictObject({ 'c~': z.string() })) });
  const body = { 'a/b': [{ 'c~': 'x' }, { 'c~': 1, 'd/': 2 }] };
  expect(faultsOf(schema, body, bodyFaults).map(({ pointer }) => pointer)).toEqual([
    '/a~1b/1/c~0',
    '/a~1b/1/d~1',
  ]);
  expect(faultsOf(schema, null, bodyFaults)).toEqual([{ pointer: '', detail: 'Expected an object.' }]);
  expect(faultsOf(z.strictObject({ limit: z.string() }), { colour: 'red' }, queryFaults)).toEqual([
    { parameter: 'limit', detail: 'Missing: expected a text.' },
    { parameter: 'colour', detail: "Unknown parameter 'colour': expected only the documented ones." },
  ]);
});
