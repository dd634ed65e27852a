import type { Route } from '../fuzz/requests.ts';
import type { Schema } from '../fuzz/values.ts';

const bytes = 1_000_000;
const many = (text: string) => text.repeat(Math.floor(bytes / text.length));

/** Texts of nearly 1 MiB on which a pattern, a trim or a normalisation may take long. */
const texts = [many('1,'), many('e\u0301').slice(0, 300_000)];

/** Bodies of nearly 1 MiB for the route, most of which its schema refuses: as many faults as there can be. */
export function swollenBodies({ operation }: Route): { what: string; body: unknown }[] {
  const content = operation.requestBody?.content['application/json'];
  if (!content) return [];
  const example = (content.example ?? {}) as Record<string, unknown>;
  const properties = Object.entries((content.schema as Schema).properties ?? {});
  const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`${'~/'.repeat(20)}${n}`, n]));
  return [
    { what: 'unknown fields', body: { ...example, ...fields } },
    { what: 'lists in lists', body: `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}` },
    ...properties.flatMap(([name, schema]) =>
      swollen(schema).map(([what, value]) => ({
        what: `${what} as ${name}`,
        body: { ...example, [name]: value },
      })),
    ),
  ];
}

function swollen({ type, anyOf = [], properties = {}, additionalProperties }: Schema): [string, unknown][] {
  const inner = anyOf.flatMap(swollen);
  const kinds = [type].flat();
  if (kinds.includes('array')) inner.push(['9,000 empty objects', Array.from({ length: 9_000 }, () => ({}))]);
  if (kinds.includes('string'))
    inner.push(...texts.map((text, n): [string, string] => [`long text ${n}`, text]));
  if (typeof additionalProperties === 'object')
    inner.push([
      '9,000 keys',
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`${'k'.repeat(90)}${n}`, ''])),
    ]);
  for (const [name, schema] of Object.entries(properties))
    for (const [what, value] of swollen(schema)) inner.push([`${what} in ${name}`, { [name]: value }]);
  return inner;
}
