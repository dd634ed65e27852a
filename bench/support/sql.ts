export const hex = (n: number) => n.toString(16).padStart(8, '0');

/** An identifier of the loaded rows, in SQL. */
export const id = (kind: string, n: string, study = 0) =>
  `printf('0198c1a4f3b2700${kind}${hex(study)}%08x', ${n})`;

/** The numbers below `count`, as a table `n`. */
export const upTo = (count: number) =>
  `(with recursive n(n) as (select 0 where ${count} > 0 union all select n + 1 from n where n + 1 < ${count}) select n from n)`;

/** A value as a literal, as JSON unless it is a text. */
export const text = (value: unknown) =>
  `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
