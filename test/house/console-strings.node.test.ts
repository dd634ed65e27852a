import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** Attributes and fields with texts that people see or hear. */
const said =
  /^(?:title|label|about|hint|caption|submit|alt|placeholder|any|text|term|file|aria-(?:label|description|valuetext|roledescription))$/;
/** Errors with explanations for people. */
const told = /^(?:Refusal|Replaced|SignInError)$/;
const hasWords = (text: string) => /\p{L}/u.test(text);

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const within = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const nameOf = (node: unknown) => (isNode(node) ? String(node.name ?? node.value ?? '') : '');

/** The words that an expression may become, as far as they stand in it. */
function wordsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return [...wordsOf(node.consequent), ...wordsOf(node.alternate)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return /^(?:\+|&&|\|\||\?\?)$/.test(String(node.operator))
        ? [...wordsOf(node.left), ...wordsOf(node.right)]
        : [];
    case 'JSXExpressionContainer':
      return wordsOf(node.expression);
    // The parts of a file's name.
    case 'CallExpression':
      return nameOf(node.callee) === 'fileName' ? wordsOf((node.arguments as Node[])[0]) : [];
    default:
      return [];
  }
}

/** Texts for people that stand in a file itself. */
function literalTexts(source: string): string[] {
  const texts = (node: Node): string[] => {
    const here = () => {
      if (node.type === 'JSXText') return [String(node.value).trim()];
      if (node.type === 'JSXElement' || node.type === 'JSXFragment')
        return (node.children as Node[]).flatMap((child) =>
          child.type === 'JSXExpressionContainer' ? wordsOf(child) : [],
        );
      if (node.type === 'JSXAttribute' && said.test(nameOf(node.name))) return wordsOf(node.value);
      if (node.type === 'Property' && said.test(nameOf(node.key))) return wordsOf(node.value);
      if (node.type === 'NewExpression' && told.test(nameOf(node.callee)))
        return (node.arguments as Node[]).flatMap(wordsOf);
      return [];
    };
    return [...here(), ...within(node).flatMap(texts)];
  };
  return texts(parseAst(source, { lang: 'tsx' }) as unknown as Node).filter(hasWords);
}

test('the texts of the console stand in one place', () => {
  const files = globSync('console/**/*.{ts,tsx}', { exclude: ['console/**/*strings.ts'] });
  expect(files.length).toBeGreaterThan(80);
  const found = files.flatMap((file) =>
    literalTexts(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['<p>Nothing here</p>', 'Nothing here'],
  ['<p>{isOld ? "Since " + at : null}</p>', 'Since '],
  ['<>{n > 0 && `more`}</>', 'more'],
  ['<Button aria-label="Close" />', 'Close'],
  ['<PageHead title={`Data`} />', 'Data'],
  ['toast({ text: "Locked " + n })', 'Locked '],
  ['<Save file={fileName(study + ", cases", "csv")} />', ', cases'],
  ['throw new Refusal("It is locked.")', 'It is locked.'],
])('%s is noticed', (source, text) => {
  expect(literalTexts(source)).toEqual([text]);
});

test.each(['<p class="muted">{strings.about} {n} · </p>', 'route("/console", { kind: "cases" })'])(
  '%s is none',
  (source) => {
    expect(literalTexts(source)).toEqual([]);
  },
);
