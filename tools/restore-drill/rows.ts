import type { DatabaseSync } from 'node:sqlite';
import type { Found } from './result.ts';

type Value = string | number | bigint | null | Uint8Array;

interface Table {
  name: string;
  columns: string[];
  /** The columns of its key, in order. */
  key: string[];
}

const shownFaults = 5;

/** Compares all rows of all tables, one by one, in the order of their keys. */
export function compareRows(original: DatabaseSync, copy: DatabaseSync): Found {
  const [tables, copied] = [tablesOf(original), tablesOf(copy)];
  const faults: string[] = [];
  if (JSON.stringify(tables) !== JSON.stringify(copied)) faults.push('the tables are not the same');
  let rows = 0;
  let different = 0;
  for (const table of tables) {
    if (!copied.some(({ name }) => name === table.name)) continue;
    for (const fault of differences(original, copy, table, () => rows++)) {
      different += 1;
      if (faults.length < shownFaults) faults.push(`${table.name}: ${fault}`);
    }
  }
  if (different > shownFaults) faults.push(`${different} rows differ in all`);
  const numbers = { tables: tables.length, rows, different };
  return {
    text: `${rows.toLocaleString('en')} in ${tables.length} tables, compared one by one`,
    numbers,
    faults,
  };
}

function tablesOf(db: DatabaseSync): Table[] {
  const names = db
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all() as { name: string }[];
  return names.map(({ name }) => {
    const columns = db.prepare('select name, pk from pragma_table_info(?)').all(name) as {
      name: string;
      pk: number;
    }[];
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return { name, columns: columns.map((one) => one.name), key: key.map((one) => one.name) };
  });
}

function* differences(original: DatabaseSync, copy: DatabaseSync, table: Table, onRow: () => void) {
  const [left, right] = [rowsOf(original, table), rowsOf(copy, table)];
  let [a, b] = [left.next(), right.next()];
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareKeys(a.value, b.value, Math.max(1, table.key.length));
    if (order <= 0) onRow();
    if (order < 0) yield `${nameOf(a.value, table)} is missing`;
    if (order > 0) yield `${nameOf(b.value, table)} is not in the original`;
    if (order === 0) {
      // The key comes first, and then every column.
      const at = Math.max(1, table.key.length);
      const columns = table.columns.filter((_, n) => !isSame(a.value?.[at + n], b.value?.[at + n]));
      if (columns.length > 0) yield `${nameOf(a.value, table)} has another ${columns.join(', ')}`;
    }
    if (order <= 0) a = left.next();
    if (order >= 0) b = right.next();
  }
}

/** The key of each row, and all of its columns. */
function rowsOf(db: DatabaseSync, { name, columns, key }: Table): Iterator<Value[]> {
  const quoted = (list: readonly string[]) => list.map((one) => `"${one}"`).join(', ');
  const keys = key.length > 0 ? quoted(key) : 'rowid';
  const statement = db.prepare(`select ${keys}, ${quoted(columns)} from "${name}" order by ${keys}`);
  statement.setReturnArrays(true);
  return statement.iterate() as unknown as Iterator<Value[]>;
}

const nameOf = (row: Value[] | undefined, { key }: Table) =>
  (row ?? []).slice(0, Math.max(1, key.length)).map(String).join(' ');

const isSame = (a: Value | undefined, b: Value | undefined) =>
  a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0);

/** As SQLite orders keys: numbers by value, texts by their bytes. */
function compareKeys(a: Value[], b: Value[], columns: number): number {
  for (let n = 0; n < columns; n++) {
    const [x, y] = [a[n] ?? null, b[n] ?? null];
    if (isSame(x, y)) continue;
    if (typeof x === 'string' && typeof y === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y));
    return Number(x) < Number(y) ? -1 : 1;
  }
  return 0;
}
