import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** The document of the tables, which the schema makes. */
export const dataModelFile = 'docs/data-model.md';

const root = join(import.meta.dirname, '../..');

const introduction = `# Data model

Made from the schema by \`npm run data-model\`. A picture for each room of \`src/\` has its tables with all columns; boxes
without columns are tables of other rooms. PK: the key; UK: unique; FK: names a row of another table, or did, since rows may
be kept for longer than those that they name. A question mark: may be null; an equals sign: computed by SQLite. Columns that
end in \`_at\` are epoch milliseconds, and identifiers have 32 hexadecimal digits.
`;

/** Columns that name rows of a table by another name than its own. */
const named: Record<string, string> = {
  actor_id: 'user',
  author_id: 'user',
  case_id: 'study_case',
  created_by: 'user',
  creator_id: 'user',
  invited_by: 'user',
  last: 'notification',
  notification: 'notification',
  responder_id: 'user',
  triggered_by: 'survey',
};

type Config = ReturnType<typeof getTableConfig>;
type Column = Config['columns'][number];

interface Room {
  name: string;
  tables: Config[];
}

/** The text of the document. */
export async function dataModel(): Promise<string> {
  const files = globSync('src/*/*schema.ts', { cwd: root }).sort();
  const sentences = new Map(files.flatMap(sentencesOf));
  const found = await Promise.all(
    files.map(async (file): Promise<Room> => {
      const exported = Object.values((await import(join(root, file))) as object);
      const tables = exported.filter((one) => is(one, SQLiteTable)).map(getTableConfig);
      const order = [...sentences.keys()];
      tables.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
      return { name: file.split('/')[1] ?? '', tables };
    }),
  );
  const rooms = [...Map.groupBy(found, ({ name }) => name)]
    .map(([name, some]) => ({ name, tables: some.flatMap(({ tables }) => tables) }))
    .filter(({ tables }) => tables.length > 0);
  const known = new Set(rooms.flatMap(({ tables }) => tables.map(({ name }) => name)));
  return [introduction, ...rooms.map((room) => section(room, { known, sentences }))].join('\n');
}

interface Known {
  known: ReadonlySet<string>;
  sentences: ReadonlyMap<string, string>;
}

function section({ name, tables }: Room, { known, sentences }: Known): string {
  return [
    `## ${name}`,
    '',
    ...tables.map((table) => `- \`${table.name}\`: ${sentences.get(table.name) ?? ''}`),
    '',
    '```mermaid',
    'erDiagram',
    ...tables.flatMap((table) => box(table, known)),
    ...tables.flatMap((table) => lines(table, known)),
    '```',
    '',
  ].join('\n');
}

function box(table: Config, known: ReadonlySet<string>): string[] {
  const columns = table.columns.map((column) => {
    const keys = [
      ...(keyOf(table).includes(column.name) ? ['PK'] : []),
      ...(targetOf(column, known) ? ['FK'] : []),
      ...(isUnique(table, column) ? ['UK'] : []),
    ].join(', ');
    const note = `${column.generated ? '=' : ''}${column.notNull || column.primary ? '' : '?'}`;
    return ['   ', column.getSQLType(), column.name, keys, note && `"${note}"`].filter(Boolean).join(' ');
  });
  return [`  ${table.name} {`, ...columns, '  }'];
}

/** A line from a table to each row that it names: one or none, to none, one or many. */
function lines(table: Config, known: ReadonlySet<string>): string[] {
  return table.columns.flatMap((column) => {
    const target = targetOf(column, known);
    if (!target) return [];
    const isOnly = isUnique(table, column) || keyOf(table).join() === column.name;
    return `  ${target} ${column.notNull ? '||' : '|o'}--o${isOnly ? '|' : '{'} ${table.name} : ${column.name}`;
  });
}

const keyOf = ({ columns, primaryKeys: [key] }: Config): string[] =>
  (key?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name);

const isUnique = ({ indexes }: Config, { name }: Column): boolean =>
  indexes.some(
    ({ config: { unique, columns } }) =>
      unique && columns.length === 1 && columns.some((one) => 'name' in one && one.name === name),
  );

function targetOf({ name }: Column, known: ReadonlySet<string>): string | undefined {
  const target = named[name] ?? (name.endsWith('_id') ? name.slice(0, -3) : '');
  return known.has(target) ? target : undefined;
}

const documented = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = sqliteTable\(\s*'(\w+)'/g;

/** The first sentence of the comment before each table. */
function sentencesOf(file: string): [table: string, sentence: string][] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(documented)].map(
    ([, comment = '', table = '']) => {
      const text = comment
        .replaceAll(/\n \* ?/g, ' ')
        .replaceAll(/\{@link (\w+)\}/g, '`$1`')
        .trim();
      return [table, /^.*?\.(?= |$)/.exec(text)?.[0] ?? text];
    },
  );
}

/** Writes the document. */
export async function writeDataModel(): Promise<void> {
  writeFileSync(join(root, dataModelFile), await dataModel());
}

if (process.argv[1] === import.meta.filename) await writeDataModel();
