import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/* Texts of the console stand in files of strings, which the guides quote. */

interface Node {
  type: string;
  [field: string]: unknown;
}

/** Attributes with texts that people see or hear. */
const said = /^(?:title|label|hint|caption|submit|alt|placeholder|aria-(?:label|description))$/;

function literalTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(literalTexts);
  if (typeof value !== 'object' || value === null || !('type' in value)) return [];
  const { type, ...fields } = value as Node;
  const inner = Object.values(fields).flatMap(literalTexts);
  const { name, value: text } = fields as { name?: { name?: string }; value?: unknown };
  if (type === 'JSXText') return [String(text).trim()];
  const literal = type === 'JSXAttribute' && said.test(name?.name ?? '') ? (text as Node | null) : null;
  return literal?.type === 'Literal' ? [String(literal.value), ...inner] : inner;
}

const textsIn = (source: string) =>
  literalTexts(parseAst(source, { lang: 'tsx' }).body).filter((text) => /\p{L}/u.test(text));

test('the texts of the console stand in its files of strings', () => {
  const files = globSync('console/**/*.tsx');
  expect(files.length).toBeGreaterThan(60);
  expect(
    files.flatMap((file) => textsIn(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`)),
  ).toEqual([]);
});

test('a text in an element or an attribute is noticed', () => {
  expect(textsIn('<p class="muted">Nothing here {n}<Button aria-label="Close" /></p>')).toEqual([
    'Nothing here',
    'Close',
  ]);
});
