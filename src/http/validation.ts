import type { MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import * as z from 'zod';
import { type Fault, Problem } from '../errors.ts';
import type { Env } from './context.ts';
import { bodyFaults, expectation, pointerTo, queryFaults, unknownField } from './issues.ts';
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

/** No documented key has more characters. */
const longestKey = 200;

/**
 * A key that zod must not see: `__proto__`, which its records silently drop, and one of any length, on which it uses a
 * pattern. No schema is deeper than `depth`: anything below is refused for its type.
 */
function faultyKey(value: unknown, depth = 6, path: string[] = []): Fault | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  if (Object.hasOwn(value, '__proto__'))
    return { pointer: pointerTo([...path, '__proto__']), detail: unknownField('__proto__') };
  for (const key in value) {
    if (key.length > longestKey) return { pointer: pointerTo(path), detail: unknownField(key) };
    const below = faultyKey(value[key as never], depth - 1, [...path, key]);
    if (below) return below;
  }
  return undefined;
}

/** The largest number of identifiers in a request. */
const maxFaults = 1000;

/** @throws request.invalid */
export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const fault = faultyKey(value);
  if (fault) throw new Problem('request.invalid', fault.detail, { errors: [fault] });
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

/**
 * A string whose length is checked first: a longer one ends its validation, so that no pattern, transform or decoder sees
 * it. Every string of a request begins with it. `max` counts code points.
 */
export const bounded = (max: number, error: string, tooLong = error) =>
  z.string({ error }).max(max, { error: tooLong, abort: true });

/** Text that every client can show: no NUL, no lone surrogate. `min` and `max` count code points. */
export const text = (min: number, max: number) =>
  bounded(
    max,
    `Expected a text of ${min} to ${max} characters.`,
    `Too long: expected ${min} to ${max} characters.`,
  )
    .min(min, `Too short: expected ${min} to ${max} characters.`)
    .refine(
      (s) => s.isWellFormed() && !s.includes('\0'),
      'Expected text without NUL characters and without lone surrogates.',
    );

/** A name for people to read: more than white space. */
export const name = text(1, 200).refine(
  (s) => s.trim() !== '',
  'Expected a name with something besides white space.',
);

const expectedIdentifier = 'Expected an identifier: 32 lower-case hexadecimal digits.';
export const identifier = bounded(32, expectedIdentifier)
  .regex(/^[0-9a-f]{32}$/, expectedIdentifier)
  .meta({ examples: [examples.case.identifier] });

const expectedUser = 'Expected the identifier of a user.';

/** A user, or `me`. */
export const userOrMe = bounded(32, expectedUser).regex(/^(?:me|[0-9a-f]{32})$/, expectedUser);

/** An identifier that a client chooses. Broken clients send all zeros and all `f`, which are also bounds of lists. */
export const chosenIdentifier = identifier
  .refine(
    (id) => !/^(?:0{32}|f{32})$/.test(id),
    'Expected an identifier that is neither all zeros nor all f.',
  )
  .meta({ examples: [examples.case.identifier] });

export const count = (max: number, fallback: number) =>
  bounded(6, `Expected a whole number from 1 to ${max}.`)
    .regex(/^[0-9]{1,6}$/, `Expected a whole number from 1 to ${max}.`)
    .transform(Number)
    .refine((n) => n >= 1 && n <= max, `Expected a whole number from 1 to ${max}.`)
    .default(fallback)
    .meta({ type: 'integer', minimum: 1, maximum: max, default: fallback });
