import { type Property, parameterOf } from '../../groups.ts';
import { cellOf } from '../../table-csv.ts';
import type { Course } from './courses.ts';
import { type Line, parseCsv } from './csv.ts';
import { tableStrings as strings } from './dates-table-strings.ts';

/* Dates and properties of many people as a table: a template to fill in, and what a filled one changes. */

export const maxPeople = 1000;

/** Columns beside those of dates; `name` is only for the reader. */
const known = ['user', 'code', 'name', 'from', 'until'] as const;
type Known = (typeof known)[number];
const isKnown = (text: string): text is Known => known.some((name) => name === text);

/** A person to whom a line may belong. */
export interface TablePerson extends Course {
  user: string;
  name: string;
  code?: string | undefined;
}

export interface Change {
  user: string;
  dates?: Record<string, string>;
  participation?: { from?: string | undefined; until?: string | undefined };
  properties?: Record<string, string>;
}

/** The declared names that a table may have. */
export interface TableNames {
  dates: readonly string[];
  properties?: readonly Property[];
}

/** A fault of a line in words. */
export interface TableFault {
  line: number;
  text: string;
}

export interface ReadTable {
  changes: readonly Change[];
  /** The line of each change. */
  lines: readonly number[];
  faults: readonly TableFault[];
}

/** Dates that have a column: a date with the name of another column has none. */
export const columnNames = (names: readonly string[]): string[] =>
  names.filter((name) => !isKnown(name.toLowerCase()));

/** The columns of a table beside those that name the person. */
export const settableColumns = ({ dates, properties = [] }: TableNames): string[] => [
  ...properties.map(({ name }) => parameterOf(name)),
  ...columnNames(dates),
  'from',
  'until',
];

/** The table with the dates and properties that are known; a text that a spreadsheet would run is marked as a text. */
export function templateOf(people: readonly TablePerson[], names: TableNames): string {
  const columns = columnNames(names.dates);
  const declared = names.properties ?? [];
  const rows = people.map(({ user, code = '', name, dates = {}, participation = {}, properties = {} }) => [
    user,
    code,
    name,
    ...declared.map((property) => properties[property.name] ?? ''),
    ...columns.map((column) => dates[column] ?? ''),
    participation.from ?? '',
    participation.until ?? '',
  ]);
  return [['user', 'code', 'name', ...settableColumns(names)], ...rows]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
}

/** A text without the mark against formulas that {@link templateOf} gives it. */
const unmarked = (cell: string) => cell.replace(/^'(?=\s*[=+\-@＝＋－＠])/, '');

const datePattern = /^\d{4}-\d\d-\d\d$/;
/** A date of the calendar, and only as year, month and day. */
function isCalendarDate(text: string): boolean {
  if (!datePattern.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The column of each place of the first line: one of the known names, or a date. */
interface Head {
  columns: readonly string[];
  faults: readonly string[];
}

function headOf({ cells }: Line, names: TableNames): Head {
  const { fault } = strings;
  const columns = cells.map((text) => (isKnown(text.toLowerCase()) ? text.toLowerCase() : text));
  const settable = settableColumns(names);
  const all = [...new Set([...known, ...settable])];
  const unknown = columns.filter((column) => column !== '' && !all.includes(column));
  const twice = columns.filter((column, n) => column !== '' && columns.indexOf(column) !== n);
  return {
    columns,
    faults: [
      ...unknown.map((column) => fault.column(column, all.join(', '))),
      ...twice.map(fault.columnTwice),
      ...(columns.includes('user') || columns.includes('code') ? [] : [fault.noPerson]),
      ...(columns.some((column) => settable.includes(column)) ? [] : [fault.noDates(settable.join(', '))]),
    ],
  };
}

/** The changes that a table asks for; an empty cell changes nothing, and neither does a line of empty cells. */
export function readTable(text: string, people: readonly TablePerson[], names: TableNames): ReadTable {
  const { fault } = strings;
  const { lines, open } = parseCsv(text);
  const refused = (line: number, ...texts: string[]): ReadTable => ({
    changes: [],
    lines: [],
    faults: texts.map((text) => ({ line, text })),
  });
  if (open !== undefined) return refused(open, fault.quote);
  const [first, ...rest] = lines;
  if (!first || rest.length === 0) return refused(first?.number ?? 1, fault.empty);
  const head = headOf(first, names);
  if (head.faults.length > 0) return refused(first.number, ...head.faults);
  if (rest.length > maxPeople) return refused(rest[maxPeople]?.number ?? 1, fault.tooMany);

  const find = finderOf(people);
  const seen = new Map<string, number>();
  const faults: TableFault[] = [];
  const found: { change: Change; line: number }[] = [];
  for (const line of rest) {
    const read = readLine(line, head.columns, { find, properties: names.properties ?? [] });
    const before = read.person && seen.get(read.person.user);
    if (read.person) seen.set(read.person.user, before ?? line.number);
    const texts = before === undefined ? read.faults : [...read.faults, fault.again(before)];
    faults.push(...texts.map((text) => ({ line: line.number, text })));
    if (texts.length === 0 && read.change) found.push({ change: read.change, line: line.number });
  }
  if (faults.length > 0) return { changes: [], lines: [], faults };
  return { changes: found.map(({ change }) => change), lines: found.map(({ line }) => line), faults };
}

type Find = (user: string, code: string) => TablePerson | string;

/** Finds a person by what a line has of them, or says in words why there is none. */
function finderOf(people: readonly TablePerson[]): Find {
  const { fault } = strings;
  const byUser = new Map(people.map((person) => [person.user, person]));
  const byCode = new Map(people.map((person) => [person.code, person]));
  return (user, code) => {
    if (user === '' && code === '') return fault.nobody;
    const [one, other] = [byUser.get(user.toLowerCase()), byCode.get(code.normalize('NFC'))];
    if (user !== '' && !one) return fault.stranger(user);
    if (code !== '' && !other) return fault.stranger(code);
    if (one && other && one !== other) return fault.two;
    return one ?? other ?? fault.nobody;
  };
}

interface ReadLine {
  /** Nobody is known for a line that names nobody. */
  person?: TablePerson;
  faults: readonly string[];
  change?: Change;
}

function readLine(
  { cells }: Line,
  columns: readonly string[],
  { find, properties: declared }: { find: Find; properties: readonly Property[] },
): ReadLine {
  const { fault } = strings;
  if (cells.slice(columns.length).some((text) => text !== ''))
    return { faults: [fault.cells(cells.length, columns.length)] };
  const filled = new Map(columns.map((column, n) => [column, cells[n] ?? '']));
  const text = (column: Known) => unmarked(filled.get(column) ?? '');
  const person = find(text('user'), text('code'));
  if (typeof person === 'string') return { faults: [person] };
  const isOf = (column: string) => declared.find(({ name }) => parameterOf(name) === column);
  const cellsGiven = [...filled].filter(
    ([column, cell]) => column !== '' && !['user', 'code', 'name'].includes(column) && cell !== '',
  );
  const values = cellsGiven.flatMap(([column, cell]) => {
    const property = isOf(column);
    return property ? [{ column, property, value: unmarked(cell).trim() }] : [];
  });
  const unknown = values.filter(({ property, value }) => !property.values.includes(value));
  if (unknown.length > 0)
    return {
      person,
      faults: unknown.map(({ column, property, value }) =>
        fault.value(column, value, property.values.join(', ')),
      ),
    };
  const given = cellsGiven.filter(([column]) => !isOf(column));
  const wrong = given.filter(([, date]) => !isCalendarDate(date));
  if (wrong.length > 0) return { person, faults: wrong.map(([column, date]) => fault.date(column, date)) };
  const dates = Object.fromEntries(given.filter(([column]) => !isKnown(column)));
  const bounds = Object.fromEntries(given.filter(([column]) => isKnown(column)));
  // The service replaces the whole time: the day that the line leaves out stays.
  const participation: Change['participation'] = { ...person.participation, ...bounds };
  if (participation.from && participation.until && participation.from > participation.until)
    return { person, faults: [fault.backwards] };
  const change: Change = {
    user: person.user,
    ...(Object.keys(dates).length > 0 && { dates }),
    ...(Object.keys(bounds).length > 0 && { participation }),
    ...(values.length > 0 && {
      properties: Object.fromEntries(values.map(({ property, value }) => [property.name, value])),
    }),
  };
  return { person, faults: [], ...(cellsGiven.length > 0 && { change }) };
}
