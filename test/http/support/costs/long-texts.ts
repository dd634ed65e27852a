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
