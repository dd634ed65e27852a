import type * as z from 'zod';

/** As much of a schema's definition as the walk reads. */
interface Definition {
  type: string;
  checks?: { _zod: { def: { check: string; abort?: boolean } } }[];
  /** Of a format's own schema, such as `z.iso.date()`, which looks at the text first. */
  format?: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  element?: z.ZodType;
  items?: z.ZodType[];
  rest?: z.ZodType | null;
  options?: z.ZodType[];
  left?: z.ZodType;
  right?: z.ZodType;
  innerType?: z.ZodType;
  getter?: () => z.ZodType;
  /** Of a pipe; its `out` sees only what has passed. */
  in?: z.ZodType;
}

/** Values of these have no length, or are compared with known ones. A transform may only follow a bounded string. */
const lengthless = ['number', 'int', 'boolean', 'null', 'undefined', 'enum', 'literal', 'never'];

const bounds = ['max_length', 'length_equals'];

/** The places of a schema at which a string is looked at before its length, or is of any length. */
export function unboundedStrings(schema: z.ZodType, place = ''): string[] {
  const definition = schema._zod.def as unknown as Definition;
  const { type, checks = [], format, shape = {}, getter } = definition;
  if (type === 'string') {
    const first = checks[0]?._zod.def;
    const isBounded = format === undefined && first !== undefined && bounds.includes(first.check);
    return isBounded && first.abort === true ? [] : [place];
  }
  const inner: [name: string, schema: z.ZodType | null | undefined][] = [
    ...Object.entries(shape).map(([name, field]): [string, z.ZodType] => [`/${name}`, field]),
    ['/*', definition.catchall],
    ['/{key}', definition.keyType],
    ['/{value}', definition.valueType],
    ['/[]', definition.element],
    ['/[]', definition.rest],
    ...(definition.items ?? []).map((one, n): [string, z.ZodType] => [`/${n}`, one]),
    ...(definition.options ?? []).map((one): [string, z.ZodType] => ['', one]),
    ['', definition.left],
    ['', definition.right],
    ['', definition.innerType],
    ['', getter?.()],
    ['', definition.in],
  ];
  const found = inner.flatMap(([name, one]) => (one ? unboundedStrings(one, place + name) : []));
  const isKnown = lengthless.includes(type) || type === 'object' || inner.some(([, one]) => one);
  return isKnown ? found : [`${place} (${type})`];
}
