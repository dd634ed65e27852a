import type { MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import * as z from 'zod';
import { type Fault, invalid, Problem } from '../errors.ts';
import type { Env } from './context.ts';
import { bodyFaults, escapePointer, expectation, queryFaults, unknownField } from './issues.ts';
import { inDocument, type RequestPart } from './openapi/documented.ts';
import { examples } from './openapi/examples.ts';

/** Validates the JSON body, and refuses fields that the schema does not know. @throws request.invalid */
export const body = <S extends z.ZodType>(schema: S) =>
  validating(
    { target: 'json', schema },
    validator('json', (value: unknown) => parseBody(schema, value)),
  ) as unknown as Body<S>;

/** Clients are typed with the input of the schema, where fields with a default are optional, and routes with its output. */
type Body<S extends z.ZodType> = MiddlewareHandler<
  Env,
  string,
  { in: { json: z.input<S> }; out: { json: z.output<S> } },
  never
>;

/** Validates the query string. @throws request.invalid */
export const query = <S extends z.ZodType>(schema: S) =>
  validating(
    { target: 'query', schema },
    validator('query', (value: unknown) => parse(schema, value, queryFaults)),
  ) as unknown as Query<S>;

/** Clients may leave out a query without required parameters. */
type Query<S extends z.ZodType> = MiddlewareHandler<
  Env,
  string,
  {
    in: object extends z.input<S> ? { query?: z.input<S> } : { query: z.input<S> };
    out: { query: z.output<S> };
  },
  never
>;

/** Hands the schema to the OpenAPI document, so that the documented schema is the one that validates. */
const validating = <H extends object>(part: RequestPart, handler: H): H =>
  Object.assign(handler, { [inDocument]: part });

/**
 * Values of a body: more than the largest request that any schema allows, a survey of 1,000 items and 2,000 options. zod
 * looks at each value before it counts them.
 */
const maxValues = 20_000;

/** Runs before zod, whose records silently drop a key `__proto__`. @throws request.invalid */
function refuseUnreadable(body: unknown): void {
  let values = 0;
  /** JSON pointer to a key `__proto__`. No schema is deeper than `depth`: anything below is refused for its type. */
  const protoIn = (value: unknown, depth: number): string | undefined => {
    values += 1;
    if (values > maxValues) throw invalid('', `Too many values: expected at most ${maxValues} in a body.`);
    if (typeof value !== 'object' || value === null || depth === 0) return undefined;
    if (Object.hasOwn(value, '__proto__')) return '/__proto__';
    for (const key in value) {
      const below = protoIn(value[key as never], depth - 1);
      if (below !== undefined) return `/${escapePointer(key)}${below}`;
    }
    return undefined;
  };
  const pointer = protoIn(body, 6);
  if (pointer !== undefined) throw invalid(pointer, unknownField('__proto__'));
}

/** The largest number of identifiers in a request. */
const maxFaults = 1000;

/** @throws request.invalid */
export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  refuseUnreadable(value);
  return parse(schema, value, bodyFaults);
}

function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  faults: (issue: z.core.$ZodIssue) => Fault[],
): z.output<S> {
  const parsed = schema.safeParse(value, { error: expectation });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(faults).slice(0, maxFaults);
  throw new Problem('request.invalid', errors[0]?.detail ?? 'The request is not valid.', { errors });
}

/** Text that every client can show: no NUL, no lone surrogate. `min` and `max` count code points. */
export const text = (min: number, max: number) =>
  z
    .string({ error: `Expected a text of ${min} to ${max} characters.` })
    .min(min, `Too short: expected ${min} to ${max} characters.`)
    .max(max, `Too long: expected ${min} to ${max} characters.`)
    .refine(
      (s) => s.isWellFormed() && !s.includes('\0'),
      'Expected text without NUL characters and without lone surrogates.',
    );

/** A name for people to read: more than white space. */
export const name = text(1, 200).refine(
  (s) => s.trim() !== '',
  'Expected a name with something besides white space.',
);

export const identifier = z
  .string({ error: 'Expected an identifier: 32 lower-case hexadecimal digits.' })
  .regex(/^[0-9a-f]{32}$/, 'Expected an identifier: 32 lower-case hexadecimal digits.')
  .meta({ examples: [examples.case.identifier] });

/** An identifier that a client chooses. Broken clients send all zeros and all `f`, which are also bounds of lists. */
export const chosenIdentifier = identifier
  .refine(
    (id) => !/^(?:0{32}|f{32})$/.test(id),
    'Expected an identifier that is neither all zeros nor all f.',
  )
  .meta({ examples: [examples.case.identifier] });

export const count = (max: number, fallback: number) =>
  z
    .string({ error: `Expected a whole number from 1 to ${max}.` })
    .regex(/^[0-9]{1,6}$/, `Expected a whole number from 1 to ${max}.`)
    .transform(Number)
    .refine((n) => n >= 1 && n <= max, `Expected a whole number from 1 to ${max}.`)
    .default(fallback)
    .meta({ type: 'integer', minimum: 1, maximum: max, default: fallback });
