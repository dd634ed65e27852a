import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Delivery, type FollowUpRecord, notifications } from '../../db/schema/notifications.ts';
import type { Placeholders } from '../../db/statements.ts';

export type { Delivery, FollowUpRecord };

/** A scheduled notification, from its first plan to its settlement: a row of the table, without what SQLite computes. */
export type Notification = Omit<typeof notifications.$inferSelect, 'nextAt' | 'outcome'>;

export type NotificationColumn = keyof Notification;

const columns = Object.entries(getTableColumns(notifications)).filter(
  ([, column]) => column.generated === undefined,
) as [NotificationColumn, Column][];
const isJson = (column: Column) => column.dataType === 'json';

/**
 * A notification as a JSON array, in the order of the schema, which {@link parseNotifications} reads; `table` is an alias
 * of the table, or of a subquery with its columns. An object would take two arguments for each column, and D1 allows a
 * function 32.
 */
export const asJson = (table: string): SQL => {
  const values = columns.map(([, column]) => {
    const value = sql.raw(`${table}.${column.name}`);
    return isJson(column) ? sql`json(${value})` : value;
  });
  return sql`json_array(${sql.join(values, sql`, `)})`;
};

/** Reads a JSON array of what {@link asJson} gives. */
export const parseNotifications = (text: string): Notification[] =>
  (JSON.parse(text) as unknown[][]).map(
    (values) => Object.fromEntries(columns.map(([name], n) => [name, values[n]])) as Notification,
  );

/**
 * The columns that are written in the order of the schema, read from the JSON of a notification, which is how drizzle's
 * `insert().select()` takes them. `values` replaces some of them.
 */
export const fromJson = (json: SQL, values: Partial<Record<NotificationColumn, SQL>> = {}): SQL => {
  const fields = columns.map(([name, column]) => {
    // As JSON null is a text.
    const read = isJson(column) ? sql.raw(`-> '${name}', 'null')`) : sql.raw(`->> '${name}'`);
    return values[name] ?? (isJson(column) ? sql`nullif(${json} ${read}` : sql`${json} ${read}`);
  });
  return sql.join(fields, sql`, `);
};

/** The same, with each column of one notification bound, which is faster. */
export const boundColumns = (row: Placeholders<Partial<Notification>>): SQL =>
  sql.join(
    columns.map(([name, column]) => sql`${sql.param(row[name], column)}`),
    sql`, `,
  );

/** For an upsert: these columns as the refused row has them. */
export const excluded = (...names: NotificationColumn[]): Record<string, SQL> =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`excluded.${notifications[name].name}`)]));

const key = ['userId', 'surveyId', 'revision', 'key'] as const satisfies NotificationColumn[];

/** The occurrence that a row stands for. */
export const keyColumns = key.map((name) => notifications[name]);

/** What phones tell and when it was answered, which a delivery that read the row before leaves alone. */
const told: readonly string[] = [
  'snoozedUntil',
  'shownAt',
  'openedAt',
  'dismissedAt',
  'answeredAt',
] satisfies NotificationColumn[];

/** All columns that a plan or a delivery writes but those of the key. */
export const valueColumns = columns
  .map(([name]) => name)
  .filter((name) => !(key as readonly string[]).includes(name) && !told.includes(name));
