import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { notifications } from './schema.ts';

/**
 * A scheduled notification, from its first plan to its settlement: a row of the table, without the columns that SQLite
 * computes.
 */
export type Notification = Omit<typeof notifications.$inferSelect, 'nextAt' | 'outcome' | 'responseEnd'>;

type NotificationColumn = keyof Notification;

const key = ['userId', 'surveyId', 'revision', 'key'] as const satisfies NotificationColumn[];

/** The key of a notification: its occurrence. */
export type NotificationKey = Pick<Notification, (typeof key)[number]>;

const columns = Object.entries(getTableColumns(notifications)).filter(
  ([, column]) => column.generated === undefined,
) as [NotificationColumn, Column][];
const isJson = (column: Column) => column.dataType === 'json';

/**
 * A notification as a JSON array in the order of the schema, for {@link parseNotifications}; `table` is an alias of the
 * table, or of a subquery with its columns. An object would take two arguments for each column, and D1 allows a function
 * 32.
 */
export const asJson = (table: string): SQL => {
  const values = columns.map(([, column]) => {
    const value = sql.raw(`${table}.${column.name}`);
    return isJson(column) ? sql`json(${value})` : value;
  });
  return sql`json_array(${sql.join(values, sql`, `)})`;
};

/** Reads the JSON array of {@link asJson}. */
export const parseNotifications = (text: string): Notification[] =>
  (JSON.parse(text) as unknown[][]).map(
    (values) => Object.fromEntries(columns.map(([name], n) => [name, values[n]])) as Notification,
  );

/** In SQL: all columns, and their values in the JSON of a notification, `p.value`. */
export const allColumns = columns.map(([, { name }]) => name).join(', ');
export const fromJson = columns
  .map(([name, column]) =>
    // JSON null arrives as a text.
    isJson(column) ? `nullif(p.value -> '${name}', 'null')` : `p.value ->> '${name}'`,
  )
  .join(', ');

/** Reactions of phones and users, which a delivery that read the row earlier must not overwrite. */
const told: readonly string[] = [
  'snoozedUntil',
  'shownAt',
  'openedAt',
  'dismissedAt',
  'answeredAt',
  'answeredLate',
] satisfies NotificationColumn[];

/** All columns that a plan or a delivery writes, except the key. */
export const valueColumns = columns
  .filter(([name]) => !(key as readonly string[]).includes(name) && !told.includes(name))
  .map(([, { name }]) => name);
