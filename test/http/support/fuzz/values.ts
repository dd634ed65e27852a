import type { Random } from '../../../support/random.ts';

/** As much of JSON Schema as the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  pattern?: string;
  format?: string;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** Material of values: names that exist in the world under test. */
export interface Vocabulary {
  identifiers: string[];
  emails: string[];
  /** By the name of the field. */
  words: Record<string, readonly string[]>;
  /** Whole objects by the name of the field, which the study knows. */
  objects?: Record<string, readonly object[]>;
}

const identifierPattern = '^[0-9a-f]{32}$';
const plain = ['Night 1', 'ok', 'Ünïcödé ✓', '👩‍👩‍👧', "O'Brien", '0', 'true', '=1+1', '<b>x</b>'];

/** A value that the schema takes, as far as a schema can tell. */
export function sampleOf(schema: Schema, random: Random, words: Vocabulary, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const known = words.objects?.[name];
  if (known && random.chance(0.6)) return random.pick(known);
  const options = schema.anyOf ?? schema.oneOf;
  if (options && !schema.properties) return sampleOf(random.pick(options), random, words, name);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, random, words, name);
    case 'array': {
      const length = random.pick([0, 1, 1, 2, 3]);
      return Array.from({ length }, () => sampleOf(schema.items ?? {}, random, words, name));
    }
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return stringOf(schema, random, words, name);
  }
}

/** `within` is the list that the object stands in: `identifier` in `cases` is one of a case. */
function objectOf(schema: Schema, random: Random, words: Vocabulary, within: string): object {
  const listed = words.words[`/${within.replace(/s$/, '')}`];
  const entries = Object.entries(schema.properties ?? {})
    .filter(([key]) => schema.required?.includes(key) || random.chance(0.5))
    .map(([key, inner]) => [
      key,
      key === 'identifier' && listed && random.chance(0.9)
        ? random.pick(listed)
        : sampleOf(inner, random, words, key),
    ]);
  const { additionalProperties: more } = schema;
  if (typeof more === 'object')
    for (let n = random.int(3); n > 0; n--)
      entries.push([random.pick(words.words.item ?? ['q1']), sampleOf(more, random, words)]);
  return Object.fromEntries(entries);
}

function numberOf({ minimum = -2, maximum = 1000 }: Schema, random: Random): number {
  const low = Math.max(minimum, -(2 ** 40));
  const high = Math.min(maximum, 2 ** 40);
  return random.pick([low, high, low + 1, low + random.int(Math.min(high - low, 50) + 1)]);
}

function stringOf(schema: Schema, random: Random, words: Vocabulary, name: string): string {
  const known = words.words[name];
  if (known && random.chance(0.9)) return random.pick(known);
  if (schema.pattern === identifierPattern) return random.pick(words.identifiers);
  if (schema.format === 'email') return random.pick(words.emails);
  if (schema.format === 'date-time' && random.chance(0.5)) return '2027-03-02T07:02:18.000Z';
  if (schema.examples && random.chance(0.8)) return String(random.pick(schema.examples));
  return random.pick(plain).slice(0, schema.maxLength);
}
