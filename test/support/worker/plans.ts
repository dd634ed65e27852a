import { env } from 'cloudflare:workers';
import { tables as ofReminders } from '../reminder-rows.ts';

/*
 * The cost of a statement must not grow with a table: the statements of the service that a file's tests have run are
 * explained at its end, and none may walk a table, nor a whole index.
 */

/** Statements that may walk a table, by a part of their text, each with its bound. */
const exceptions: readonly { table: string; text: RegExp; bound: string }[] = [
  { table: 'job_run', text: /./, bound: 'a row for each job' },
  {
    table: ofReminders.work,
    text: /./,
    bound: 'a row for each user, survey and study whose plans wait; each goes when they are made',
  },
  { table: 'metric', text: /./, bound: 'a row for each name of a counter' },
  { table: 'relay_message', text: /^delete .*"at" < \?/, bound: 'the messages of a day, once an hour' },
  { table: ofReminders.past, text: /a test's/, bound: 'none: no statement of the service' },
  { table: ofReminders.scheduled, text: /a test's/, bound: 'none: no statement of the service' },
  { table: 'user', text: /\bwhere 0\b/, bound: 'none' },
  // Deleted items, of which responders see none.
  { table: 'study_case', text: /\band 0 order by\b/, bound: 'none' },
  { table: 'response', text: /\band 0 order by\b/, bound: 'none' },
];

/** Texts that the service has prepared in this file. */
const prepared = new Set<string>();
/** Texts of which somebody else, as a test, was the first. */
const others = new Set<string>();

/** Notes the text of a statement that is bound, if the service does so. */
export function noteText(text: string): void {
  if (prepared.has(text) || others.has(text)) return;
  const { stack = '' } = new Error('who binds it');
  (/\/cloudflare\/d1\.ts/.test(stack) ? prepared : others).add(text);
}

/** A walk over a growing table. */
export interface Walk {
  table: string;
  detail: string;
  text: string;
}

/** The walks of a statement. */
export async function walksOf(text: string): Promise<Walk[]> {
  const places = new Set(text.match(/\?\d+/g) ?? []).size || text.split('?').length - 1;
  const { results } = await env.DB.prepare(`explain query plan ${text}`)
    .bind(...Array.from({ length: places }, () => null))
    .all<{ detail: string }>();
  const names = namesIn(text, await readTables());
  // Of two things with one name in a statement, the walk is over the inner query.
  for (const { detail } of results)
    names.delete(/^(?:CO-ROUTINE|MATERIALIZE) (\w+)$/.exec(detail)?.[1] ?? '');
  return results.flatMap(({ detail }) => {
    const [, name] = /^SCAN (\w+)\b(?! VIRTUAL)/.exec(detail) ?? [];
    const table = name === undefined ? undefined : names.get(name);
    return table === undefined ? [] : [{ table, detail, text }];
  });
}

const readTables = async () =>
  (
    await env.DB.prepare(`select name from sqlite_master where type in ('table', 'view')`).all<{
      name: string;
    }>()
  ).results.map(({ name }) => name);

/** The tables of a statement, by their names and aliases in it. */
function namesIn(text: string, tables: readonly string[]): Map<string, string> {
  const names = new Map(tables.map((name) => [name, name]));
  const uses = new RegExp(`["\`]?\\b(${tables.join('|')})\\b["\`]?\\s+(?:as\\s+)?["\`]?(\\w+)["\`]?`, 'gi');
  for (const [, table = '', alias = ''] of text.matchAll(uses))
    if (!names.has(alias)) names.set(alias, table);
  // Names of common table expressions.
  for (const [, source = '', alias = ''] of text.matchAll(
    /\b(?:from|join)\s+"?(\w+)"?\s+(?:as\s+)?"?(\w+)"?/gi,
  ))
    if (!tables.includes(source)) names.delete(alias);
  return names;
}

/** @throws an Error that names the statements of this file's tests that walk a table */
export async function checkPlans(): Promise<void> {
  const found: Walk[] = [];
  for (const text of prepared) found.push(...(await walksOf(text)));
  prepared.clear();
  const walks = found.filter(
    ({ table, text }) => !exceptions.some((one) => one.table === table && one.text.test(text)),
  );
  if (walks.length > 0)
    throw new Error(
      walks.map(({ table, detail, text }) => `${detail} (the table ${table}) in:\n${text}`).join('\n\n'),
    );
}
