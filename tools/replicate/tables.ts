import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { answerColumns } from './answer-columns.ts';
import type { ListName } from './lists.ts';
import { type Columns, type ColumnType, writeTable } from './parquet.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of any thing
type Body = any;
type Row = Record<string, unknown>;

const responseColumns = {
  identifier: 'text',
  survey: 'text',
  case: 'text',
  responder: 'text',
  code: 'text',
  name: 'text',
  givenAt: 'instant',
  creation: 'instant',
  revisedAt: 'instant',
  revisionIdentifier: 'text',
  notification: 'text',
  late: 'boolean',
  outdated: 'boolean',
  status: 'text',
  lockedAt: 'instant',
} satisfies Columns;

const occurrenceColumns = {
  identifier: 'text',
  user: 'text',
  code: 'text',
  survey: 'text',
  on: 'date',
  slot: 'whole',
  counter: 'whole',
  revision: 'whole',
  timeZone: 'text',
  dueAt: 'instant',
  sentAt: 'instant',
  shownAt: 'instant',
  openedAt: 'instant',
  answeredAt: 'instant',
  late: 'boolean',
  state: 'text',
  reason: 'text',
  nudges: 'whole',
  response: 'text',
} satisfies Columns;

const codebookColumns = {
  survey: 'text',
  surveyName: 'text',
  item: 'text',
  label: 'text',
  kind: 'text',
  required: 'boolean',
  min: 'number',
  max: 'number',
  options: 'json',
  sets: 'text',
  from: 'instant',
  to: 'instant',
} satisfies Columns;

const caseColumns = {
  identifier: 'text',
  label: 'text',
  creation: 'instant',
  creatorIdentifier: 'text',
  hidden: 'boolean',
  status: 'text',
  lockedAt: 'instant',
} satisfies Columns;

const memberColumns = { identifier: 'text', name: 'text', role: 'text', code: 'text' } satisfies Columns;

/** Writes the copy of a study as Parquet files: answers in columns `items.<item>`, typed by the codebook. */
export function writeTables(copy: DatabaseSync, study: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, columns: Columns, bodies: IteratorObject<Body>, rowOf = typed(columns)) =>
    writeTable(join(folder, `${name}.parquet`), columns, bodies.map(rowOf));
  const things = (kind: string) => bodiesOf(copy, thingsSql, [study, kind]);
  const listed = (list: ListName) => bodiesOf(copy, listedSql, [study, list]);
  const answers = answerColumns([...listed('codebook')]);
  const groups = propertyColumns([...things('study')]);
  const columns = {
    ...responseColumns,
    ...groups,
    ...answers.columns,
    other: 'json',
    reasons: 'json',
  } as const;
  write('responses', columns, things('response'), toResponse(answers.cells, groups));
  write('occurrences', { ...occurrenceColumns, ...groups }, listed('occurrences'));
  write('codebook', codebookColumns, listed('codebook'));
  write('cases', { ...caseColumns, ...groups }, things('case'));
  write('members', { ...memberColumns, ...groups }, things('member'));
}

/** A column for each property that the study declares, as far as the reader sees them. */
const propertyColumns = ([study]: readonly Body[]): Columns =>
  Object.fromEntries(
    (study?.properties ?? []).map(({ name }: { name: string }) => [`property.${name}`, 'text']),
  );

/** The cell of a column: a field of the thing, or one of its properties. */
const fieldOf = (body: Body, name: string) =>
  name.startsWith('property.') ? body.properties?.[name.slice('property.'.length)] : body[name];

const toResponse = (cells: (items: Record<string, string>) => Row, groups: Columns) => (body: Body) => ({
  ...typed({ ...responseColumns, ...groups })({
    ...body,
    givenAt: body.givenAt ?? body.creation,
    revisedAt: body.revisionUNIX * 1000,
    outdated: body.outdated ?? false,
  }),
  ...cells(body.items),
  reasons: Object.keys(body.reasons).length > 0 ? body.reasons : null,
});

/** Converts the fields of a thing to the types of columns. */
const typed =
  (columns: Columns) =>
  (body: Body): Row =>
    Object.fromEntries(
      Object.entries(columns).map(([name, type]) => [name, cellOf(type, fieldOf(body, name) ?? null)]),
    );

const cellOf = (type: ColumnType, value: Body) =>
  value !== null && (type === 'instant' || type === 'date') ? new Date(value) : value;

const thingsSql = 'select body from thing where study = ? and kind = ? order by identifier';
const listedSql = 'select body from listed where study = ? and list = ? order by position';

const bodiesOf = (copy: DatabaseSync, sql: string, of: string[]): IteratorObject<Body> =>
  copy
    .prepare(sql)
    .iterate(...of)
    .map(({ body }) => JSON.parse(String(body)));
