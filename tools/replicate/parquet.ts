import { renameSync } from 'node:fs';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';

/** Types of columns. An instant is in UTC, with milliseconds; a date has no time. */
const types = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  date: { type: 'INT32', converted_type: 'DATE' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
} as const;

export type ColumnType = keyof typeof types;

/** Columns with their types, in order. */
export type Columns = Record<string, ColumnType>;

/**
 * Writes a table as a Parquet file, which replaces an earlier one when it is complete. Cells that a row lacks are null; instants
 * and dates are `Date`s.
 */
export function writeTable(file: string, columns: Columns, rows: Iterable<Record<string, unknown>>): void {
  const named = Object.entries(columns);
  const part = `${file}.part`;
  parquetWriteRows({
    writer: fileWriter(part),
    rows,
    columns: named.map(([name]) => ({ name })),
    schema: [
      { name: 'root', num_children: named.length },
      ...named.map(([name, type]) => ({ name, repetition_type: 'OPTIONAL' as const, ...types[type] })),
    ],
    // A row of answers may be long, and a group of rows is in memory.
    rowGroupSize: 10_000,
  });
  renameSync(part, file);
}
