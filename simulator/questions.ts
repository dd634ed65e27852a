/** As much of the description of a parameter as its values need. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  examples?: unknown[];
}

interface Parameter {
  in?: string;
  name?: string;
  required?: boolean;
  schema?: Schema;
}

/** A route that reads, with what it may be asked for. */
export interface ReadingRoute {
  path: string;
  parameters: readonly Parameter[];
  /** The types of its answers, such as `text/csv`. */
  formats: readonly string[];
}

/** As much of the document of the API as names its routes that read. */
export interface RoutesDocument {
  paths: Record<string, Record<string, { parameters?: unknown[]; responses?: Record<string, unknown> }>>;
}

/** Values of the places of a path and of the parameters of a query, by name. A place has the name of its noun: `/case`. */
export type Known = Readonly<Record<string, readonly string[]>>;

export const readingRoutes = ({ paths }: RoutesDocument): ReadingRoute[] =>
  Object.entries(paths).flatMap(([path, { get }]) =>
    get
      ? [
          {
            path,
            parameters: (get.parameters ?? []) as Parameter[],
            formats: Object.keys((get.responses?.[200] as { content?: object } | undefined)?.content ?? {}),
          },
        ]
      : [],
  );

/** All paths of a route, with each of the known values in each of its places. @throws when nothing is known of a place */
export function pathsOf(path: string, known: Known): string[] {
  const [place, noun = ''] = /([\w-]+)\/\{\w+\}/.exec(path) ?? [];
  if (place === undefined) return [path];
  const values = known[`/${noun}`];
  if (!values) throw new Error(`Say which values of /${noun} are known, for ${path}.`);
  return values.flatMap((value) => pathsOf(path.replace(place, `${noun}/${value}`), known));
}

/** The plain query, and one more for each known or listed value of each parameter; those that are required are in all. */
export function queriesOf({ parameters }: ReadingRoute, known: Known): string[] {
  const asked = parameters.filter((one) => one.in === 'query');
  const required = asked
    .filter((one) => one.required)
    .map(({ name = '', schema }) => `${name}=${encodeURIComponent(valuesOf(name, schema, known)[0] ?? 'x')}`);
  const each = asked.flatMap(({ name = '', schema }) =>
    valuesOf(name, schema, known).map((value) =>
      [...required.filter((one) => !one.startsWith(`${name}=`)), `${name}=${encodeURIComponent(value)}`].join(
        '&',
      ),
    ),
  );
  return [required.join('&'), ...each];
}

function valuesOf(name: string, schema: Schema = {}, known: Known): readonly string[] {
  const given = known[name];
  if (given) return given;
  const all = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const listed = all.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const])).map(String);
  if (listed.length > 0) return listed;
  if (all.some(({ type }) => type === 'boolean')) return ['true', 'false'];
  return all.flatMap(({ examples = [] }) => examples.slice(0, 1)).map(String);
}
