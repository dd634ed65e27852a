import { invalidParameter, SnsError } from './errors.ts';

/** The parameters of a query-protocol call. */
export type Params = ReadonlyMap<string, string>;

/** Reads a form-encoded body. */
export function readParams(body: Buffer): Params {
  return new Map(new URLSearchParams(body.toString('utf8')));
}

/** The parameter's value; throws SNS's `ValidationError` when it was not sent. */
export function required(params: Params, name: string): string {
  const value = params.get(name);
  if (value !== undefined) return value;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  throw new SnsError(
    'ValidationError',
    `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`,
  );
}

/** The map sent as `Attributes.entry.N.key` and `Attributes.entry.N.value`. */
export function attributesOf(params: Params): Record<string, string> {
  return mapOf(params, 'Attributes', 'key', 'value');
}

/** Reads `<name>.entry.N.<key>` and `<name>.entry.N.<value>` into a map. */
export function mapOf(params: Params, name: string, key: string, value: string): Record<string, string> {
  const map = new Map<string, string>();
  for (const number of entryNumbers(params, name)) {
    const entryKey = required(params, `${name}.entry.${number}.${key}`);
    if (map.has(entryKey)) throw invalidParameter(`${name} Reason: ${entryKey} is given twice`);
    map.set(entryKey, required(params, `${name}.entry.${number}.${value}`));
  }
  return Object.fromEntries(map);
}

/** The N of every `<name>.entry.N...` parameter, each once. */
export function entryNumbers(params: Params, name: string): Set<string> {
  const prefix = `${name}.entry.`;
  const names = [...params.keys()].filter((parameter) => parameter.startsWith(prefix));
  return new Set(names.map((parameter) => parameter.slice(prefix.length).split('.', 1)[0] ?? ''));
}
