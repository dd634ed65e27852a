import type { Schema } from '../../http/support/fuzz/values.ts';

/** A body with a text in the place of one of its values or keys. */
export interface LongBody {
  /** JSON pointer to the text; `{key}` and `*` stand for keys of a map, and for an unknown one. */
  place: string;
  body: unknown;
}

/** By the reference of a component. */
export type Components = Record<string, Schema>;

/** The bodies of a schema, one for each place at which a text can stand in it: values of every type, and keys. */
export function longBodies(schema: Schema, text: string, components: Components, place = ''): LongBody[] {
  if (schema.$ref) return longBodies(resolve(schema, components), text, components, place);
  const options = schema.anyOf ?? schema.oneOf;
  if (options && !schema.properties)
    return options.flatMap((one) => longBodies(one, text, components, place));
  const types = [schema.type].flat();
  if (types.includes('array')) return within(schema.items ?? {}, `${place}/0`, (one) => [one]);
  if (!types.includes('object')) return [{ place, body: text }];
  const base = sampleOf(schema, components) as Record<string, unknown>;
  const { properties = {}, additionalProperties: more } = schema;
  return [
    { place: `${place}/*`, body: { ...base, [text]: 1 } },
    ...Object.entries(properties).flatMap(([key, inner]) =>
      within(inner, `${place}/${key}`, (one) => ({ ...base, [key]: one })),
    ),
    ...(typeof more === 'object'
      ? [
          { place: `${place}/{key}`, body: { [text]: sampleOf(more, components) } },
          ...within(more, `${place}/{key}/`, (one) => ({ fr: one })),
        ]
      : []),
  ];

  function within(inner: Schema, at: string, wrap: (one: unknown) => unknown): LongBody[] {
    return longBodies(inner, text, components, at).map((one) => ({ ...one, body: wrap(one.body) }));
  }
}

/** The smallest value of a schema, as far as a schema can tell. */
function sampleOf(schema: Schema, components: Components): unknown {
  if (schema.$ref) return sampleOf(resolve(schema, components), components);
  if (schema.const !== undefined) return schema.const;
  const [example] = schema.enum ?? schema.examples ?? [];
  if (example !== undefined) return example;
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option && !schema.properties) return sampleOf(option, components);
  const [type] = [schema.type].flat();
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, inner]) => [key, sampleOf(inner, components)]),
    );
  if (type === 'array') return [sampleOf(schema.items ?? {}, components)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : type === 'null' ? null : 'q1';
}

function resolve({ $ref = '' }: Schema, components: Components): Schema {
  const found = components[$ref];
  if (!found) throw new Error(`no component ${$ref}`);
  return found;
}
