import type { Route } from '../fuzz/requests.ts';
import type { Schema } from '../fuzz/values.ts';

/** Nearly 1 MiB, which is the most that a request may have. */
const bytes = 980_000;
const many = (text: string, length = bytes) =>
  text.repeat(Math.floor(length / new TextEncoder().encode(text).length));

/** Texts of so many bytes, each of which costs more than its length in something that texts go through. */
export const longTextsOf = (length: number): Record<string, string> => ({
  'marks to reorder': `a${many('\u0301\u0323', length)}`,
  'an address with marks to reorder': `a${many('\u0301\u0323', length)}@x.org`,
  'characters that fold to many': many('\ufdfa', length),
  'spaces before a letter': `${many(' ', length)}x`,
  'parts with dots': `${many('a.', length)}@`,
  'digits and commas': many('1,', length),
  'one letter': `${many('a', length)}!`,
  slashes: many('~/', length),
  'joined emoji': many('\u{1F469}\u200d', length),
});

const longTexts = longTextsOf(bytes);

/** The way to a text. */
type Place = (string | number)[];

/** The longest way into a schema that refers to itself. */
const maxDepth = 8;

/** The places of texts in a value of this schema: names of fields, 0 for an element, and a name for any key. */
export function placesOfTexts(schema: Schema, depth = 0): Place[] {
  const { type, anyOf = [], oneOf = [], properties = {}, additionalProperties: more, items } = schema;
  if (depth > maxDepth) return [];
  const inner = (key: string | number, of: Schema) =>
    placesOfTexts(of, depth + 1).map((place) => [key, ...place]);
  const isText = [type].flat().includes('string');
  const all = [
    ...(isText ? [[]] : []),
    ...[...anyOf, ...oneOf].flatMap((one) => placesOfTexts(one, depth + 1)),
    ...Object.entries(properties).flatMap(([name, of]) => inner(name, of)),
    ...(typeof more === 'object' ? inner('q1', more) : []),
    ...(items ? inner(0, items) : []),
  ];
  return [...new Map(all.map((place) => [place.join('/'), place])).values()];
}

/** The value with another at a place of it; what is missing on the way is made. */
export function placed(value: unknown, [key, ...rest]: Place, text: unknown): unknown {
  if (key === undefined) return text;
  if (key === 0) {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [placed(first, rest, text), ...others];
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [key]: placed((fields as Record<string, unknown>)[key], rest, text) };
}

const bodyOf = ({ operation }: Route) => operation.requestBody?.content['application/json'];

/** For each text of the route's body: the route's example with each of the long texts there. */
export function longBodies(route: Route, texts = longTexts): { what: string; body: unknown }[] {
  const content = bodyOf(route);
  if (!content) return [];
  return placesOfTexts(content.schema as Schema).flatMap((place) =>
    Object.entries(texts).map(([what, text]) => ({
      what: `${what} as ${place.join('/') || 'the body'}`,
      body: placed(content.example ?? {}, place, text),
    })),
  );
}

/** The longest query that Node takes, in each parameter that is a text. */
export function longQueries({ operation }: Route): { what: string; query: string }[] {
  const parameters = (operation.parameters ?? []).filter((one) => 'in' in one && one.in === 'query');
  return parameters.flatMap((one) => {
    const { name, schema } = one as unknown as { name: string; schema: Schema };
    if (placesOfTexts(schema).length === 0) return [];
    return Object.entries(longTexts).map(([what, text]) => {
      // Sliced between pairs, so that it is well-formed.
      const value = encodeURIComponent(text.slice(0, 1_200).toWellFormed() + text.slice(-6).toWellFormed());
      return { what: `${what} as ${name}`, query: `?${name}=${value}` };
    });
  });
}

/** As deep as 1 MiB goes. */
export const nested = (open: string, close: string) => {
  const depth = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
};

/** Bodies that say nothing, for routes that ask who sends them and for those that do not. */
export const hollowBodies: { what: string; body: string }[] = [
  { what: 'lists in lists', body: nested('[', ']') },
  { what: 'objects in objects', body: nested('{"a":', '}') },
  { what: 'a list of empty lists', body: `[${many('[],').slice(0, -1)}]` },
  {
    what: 'many fields',
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`k${n}`, n]))),
  },
  { what: 'one text', body: JSON.stringify({ code: many('a') }) },
];

/** As many elements as a schema, or 1 MiB, allows, and texts as long as it says. */
export function filledBody(route: Route): { what: string; body: unknown }[] {
  const content = bodyOf(route);
  if (!content) return [];
  const schema = content.schema as Schema & { maxItems?: number };
  const base = (content.example ?? {}) as Record<string, unknown>;
  return Object.entries(schema.properties ?? {}).flatMap(([name, of]) => {
    const value = fillOf(of as Filled, base[name], 0);
    return value === undefined
      ? []
      : [{ what: `as much as may be in ${name}`, body: { ...base, [name]: value } }];
  });
}

type Filled = Schema & { maxItems?: number };

function fillOf(schema: Filled, example: unknown, depth: number): unknown {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as Filled[];
  const kinds = [schema.type].flat();
  if (kinds.includes('string') && !schema.pattern && !schema.format && !schema.enum)
    return '\u{1F469}'.repeat(Math.min(schema.maxLength ?? 200_000, 200_000));
  if (kinds.includes('array')) {
    const [one] = Array.isArray(example) ? example : [];
    if (one === undefined) return undefined;
    const fit = Math.floor(900_000 / JSON.stringify(numbered(one, 0)).length);
    return Array.from({ length: Math.min(schema.maxItems ?? fit, fit) }, (_, n) => numbered(one, n));
  }
  if (typeof schema.additionalProperties === 'object')
    return Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`q${n}`, 'x'.repeat(900)]));
  for (const option of depth < maxDepth ? options : []) {
    const value = fillOf(option, example, depth + 1);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** An element that differs from others by its identifier. */
const numbered = (one: unknown, n: number) =>
  typeof one === 'object' && one !== null && 'identifier' in one
    ? {
        ...one,
        identifier: /^[0-9a-f]{32}$/.test(String(one.identifier)) ? `${n}`.padStart(32, '1') : `q${n}`,
      }
    : one;
