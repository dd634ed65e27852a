import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type InDocument, inDocument } from '../../src/http/openapi/documented.ts';
import { bounded, text } from '../../src/http/validation.ts';
import { createMuteApp } from '../contract/document.ts';
import { unboundedStrings } from './support/unbounded-strings.ts';

/* No pattern or transform of a schema sees a string before its length is bounded. */

describe('the schemas of requests', () => {
  const parts = createMuteApp().routes.flatMap(({ method, path, handler }) => {
    const part = (handler as InDocument)[inDocument];
    return part && 'target' in part ? [{ name: `${method} ${path}, ${part.target}`, ...part }] : [];
  });

  test('are there', () => expect(parts.length).toBeGreaterThan(50));

  test.each(parts)('$name: each string begins with its length', ({ schema }) => {
    expect(unboundedStrings(schema)).toEqual([]);
  });

  const first = bounded(10, 'x');
  test.each<[string, z.ZodType, string[]]>([
    ['a transform', z.strictObject({ a: z.string().transform((s) => s.normalize('NFC')) }), ['/a']],
    ['a pattern', z.strictObject({ a: z.string().regex(/^a*$/).max(10) }), ['/a']],
    ['a pattern beside a length', z.strictObject({ a: z.string().max(10).regex(/^a*$/) }), ['/a']],
    ['a trim', z.array(z.object({ a: z.string().trim().max(10, { abort: true }) })), ['/[]/a']],
    ['a format', z.strictObject({ a: z.iso.date().max(10, { abort: true }).optional() }), ['/a']],
    ['a refinement', z.tuple([first, z.string().refine((s) => s.length < 10)]), ['/1']],
    ['a string of any length', z.union([first, z.strictObject({ a: z.string().nullable() })]), ['/a']],
    ['a key', z.record(z.string(), first), ['/{key}']],
    ['a value', z.record(first, z.string().toLowerCase().default('a')), ['/{value}']],
    ['a preprocessed value', z.strictObject({ a: z.preprocess(String, first) }), ['/a (transform)']],
    ['anything', z.strictObject({ a: z.unknown() }), ['/a (unknown)']],
  ])('%s before the length is found', (_, schema, places) => {
    expect(unboundedStrings(schema)).toEqual(places);
  });

  test('a length that ends the validation is enough', () => {
    const schema = z.strictObject({ a: first.regex(/^a*$/).transform(Number).optional(), b: text(1, 5) });
    expect(unboundedStrings(schema)).toEqual([]);
  });
});
