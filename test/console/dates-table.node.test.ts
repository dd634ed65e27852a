import { describe, expect, test } from 'vitest';
import { changeOf, linesOf } from '../../console/features/dates/courses.ts';
import { parseCsv } from '../../console/features/dates/csv.ts';
import { readTable, templateOf } from '../../console/features/dates/dates-table.ts';
import { formatDate } from '../../console/format.ts';

const cells = (text: string) => parseCsv(text).lines.map(({ cells }) => cells);

describe('a table as text', () => {
  test('is separated by commas, semicolons or tabs, whichever its first line has most of', () => {
    for (const separator of [',', ';', '\t'])
      expect(cells(`code${separator}surgery\r\nP-1${separator}2027-03-08\r\n`)).toEqual([
        ['code', 'surgery'],
        ['P-1', '2027-03-08'],
      ]);
    expect(cells('"a,b,c";"d"\n1;2')).toEqual([
      ['a,b,c', 'd'],
      ['1', '2'],
    ]);
  });

  test('has quoted cells with quotes, separators and lines in them, and a mark at its start', () => {
    expect(cells('\uFEFF"code", name ,x\n"P ""1""","Ada,\nof Ward 3",\n')).toEqual([
      ['code', 'name', 'x'],
      ['P "1"', 'Ada,\nof Ward 3', ''],
    ]);
  });

  test('names the lines of the file, without those that are empty, however they end', () => {
    const { lines } = parseCsv('a,b\r\n\r\n"1\r\n2",3\r,\n4,5');
    expect(lines.map(({ number, cells }) => [number, ...cells])).toEqual([
      [1, 'a', 'b'],
      [3, '1\r\n2', '3'],
      [6, '4', '5'],
    ]);
    expect(parseCsv('').lines).toEqual([]);
  });

  test('with a quotation mark that nothing closes names its line', () => {
    expect(parseCsv('a,b\n1,2\n3,"4\n5,6\n')).toMatchObject({ open: 3 });
    expect(parseCsv('a,b\n1,2"\n')).toMatchObject({ lines: [{}, { cells: ['1', '2"'] }] });
    expect(parseCsv('a,b\n1,2"\n').open).toBeUndefined();
  });
});

const [chidi, dana] = [
  { user: 'c'.repeat(32), name: 'Chidi', code: 'P-1', dates: { surgery: '2027-03-02' } },
  { user: 'd'.repeat(32), name: 'Dana', participation: { from: '2027-03-01' } },
];
const people = [chidi, dana];
const names = ['surgery', 'discharge'];
const read = (...lines: string[]) => readTable(lines.join('\n'), people, { dates: names });
const faultsIn = (...lines: string[]) => read(...lines).faults.map(({ line, text }) => [line, text]);

describe('dates of many people', () => {
  test('are read by code or identifier, and an empty cell changes nothing', () => {
    expect(
      read(
        'Code;user;name;surgery;discharge;until',
        'P-1;;Chidi;2027-03-08;;',
        `;${dana.user};;;;2027-04-01`,
      ),
    ).toEqual({
      changes: [
        { user: chidi.user, dates: { surgery: '2027-03-08' } },
        { user: dana.user, participation: { from: '2027-03-01', until: '2027-04-01' } },
      ],
      lines: [2, 3],
      faults: [],
    });
    expect(read('code,surgery', 'P-1,').changes).toEqual([]);
  });

  test('are refused with the line and in words unless they are dates as year, month and day', () => {
    const as = 'is not a date as year, month and day, such as 2027-03-08.';
    expect(faultsIn('code,surgery', 'P-1,08.03.2027')).toEqual([[2, `surgery: “08.03.2027” ${as}`]]);
    for (const date of ['2027-3-8', '2027-02-30', '2027-13-01', '20270308', '2027-03-08T00:00', '3/8/2027'])
      expect(faultsIn('code,surgery', '', `P-1,${date}`), date).toEqual([[3, `surgery: “${date}” ${as}`]]);
    expect(read('code,surgery', 'P-1,2028-02-29').faults).toEqual([]);
  });

  test('are refused for nobody, for strangers, for two at once, and twice', () => {
    expect(
      faultsIn(
        'code,user,surgery',
        ',,2027-03-08',
        'P-2,,2027-03-08',
        `P-1,${dana.user},2027-03-08`,
        'P-1,,2027-03-08',
        `,${chidi.user},2027-03-09`,
      ),
    ).toEqual([
      [2, 'The line names nobody: its code is empty.'],
      [3, 'Nobody in this study has “P-2”.'],
      [4, 'The code and the identifier are of two people.'],
      [6, 'Line 5 is about the same person.'],
    ]);
    expect(read('code,surgery', 'P-1,2027-03-08', 'P-9,2027-03-08').changes).toEqual([]);
  });

  test('are refused with columns that are unknown, missing or there twice', () => {
    expect(faultsIn('code,birth', 'P-1,2027-03-08')[0]).toEqual([
      1,
      'No column has the name “birth”. The columns are: user, code, name, from, until, surgery, discharge.',
    ]);
    expect(faultsIn('code,surgery,surgery', 'P-1,2027-03-08,2027-03-09')).toEqual([
      [1, 'The column “surgery” is there twice.'],
    ]);
    expect(faultsIn('name,surgery', 'Chidi,2027-03-08')).toEqual([
      [1, 'Expected a column with the name “code” or “user”.'],
    ]);
    expect(faultsIn('code,name', 'P-1,Chidi')).toEqual([
      [1, 'Expected at least one of these columns: surgery, discharge, from, until.'],
    ]);
    expect(faultsIn('code,surgery', 'P-1,2027-03-08,2027-03-09')).toEqual([
      [2, 'Expected at most 2 cells, as in the first line, and found 3.'],
    ]);
    expect(faultsIn('code,surgery')).toEqual([[1, 'There is no line below the names of the columns.']]);
    expect(faultsIn('code,surgery', 'P-1,"2027')).toEqual([
      [2, 'A quotation mark opens here, and none closes it.'],
    ]);
  });

  test('are refused for more than 1,000 people, and with an end before the start', () => {
    const crowd = Array.from({ length: 1001 }, (_, n) => `P-${n},2027-03-08`);
    expect(faultsIn('code,surgery', ...crowd)).toEqual([
      [1002, 'Expected at most 1,000 people. Divide the table.'],
    ]);
    expect(faultsIn('user,until', `${dana.user},2027-02-28`)).toEqual([
      [2, 'The last day is before the first day.'],
    ]);
  });

  test('come back unchanged from the table that is saved, also with a code like a formula', () => {
    const odd = {
      user: 'e'.repeat(32),
      name: 'Émile, "E"',
      code: '=P;1',
      dates: { discharge: '2027-03-09' },
    };
    const table = templateOf([...people, odd], { dates: [...names, 'from'] });
    expect(table.split('\r\n')[0]).toBe('user,code,name,surgery,discharge,from,until');
    expect(table).toContain(`"'=P;1"`);
    expect(readTable(table, [...people, odd], { dates: names })).toMatchObject({
      faults: [],
      changes: [
        { user: chidi.user, dates: { surgery: '2027-03-02' } },
        { user: dana.user, participation: { from: '2027-03-01' } },
        { user: odd.user, dates: { discharge: '2027-03-09' } },
      ],
    });
  });
});

describe('properties of many people', () => {
  const declared = [
    { name: 'site', values: ['Lyon', 'Paris'] },
    { name: 'arm', values: ['a', 'b'], blinded: true },
  ];
  const settable = { dates: names, properties: declared };
  const readWith = (...lines: string[]) => readTable(lines.join('\n'), people, settable);

  test('have a column each, and an empty cell changes nothing', () => {
    expect(readWith('code,property.site,property.arm,surgery', 'P-1,Lyon,,2027-03-08').changes).toEqual([
      { user: chidi.user, properties: { site: 'Lyon' }, dates: { surgery: '2027-03-08' } },
    ]);
    expect(readWith('user,property.arm', `${dana.user},b`, `${chidi.user},`).changes).toEqual([
      { user: dana.user, properties: { arm: 'b' } },
    ]);
  });

  test('are values of the study, and of a property that it declares', () => {
    const faultsWith = (...lines: string[]) => readWith(...lines).faults.map(({ text }) => text);
    expect(faultsWith('code,property.site', 'P-1,Nice')).toEqual([
      'property.site: “Nice” is none of the values of the study: Lyon, Paris.',
    ]);
    expect(faultsWith('code,property.ward', 'P-1,3')).toEqual([
      expect.stringContaining('No column has the name “property.ward”.'),
      expect.stringContaining('Expected at least one of these columns: property.site, property.arm'),
    ]);
  });

  test('come back unchanged from the table that is saved', () => {
    const known = [{ ...chidi, properties: { arm: 'a' } }, dana];
    const table = templateOf(known, settable);
    expect(table.split('\r\n')[0]).toBe(
      'user,code,name,property.site,property.arm,surgery,discharge,from,until',
    );
    expect(readTable(table, known, settable)).toMatchObject({
      faults: [],
      changes: [{ user: chidi.user, properties: { arm: 'a' } }, { user: dana.user }],
    });
  });
});

describe('the dates and the time of a person', () => {
  test('are told in words', () => {
    expect(linesOf({ dates: { surgery: '2027-03-08' }, participation: { until: '2027-04-01' } })).toEqual([
      `surgery: ${formatDate('2027-03-08')}`,
      `Until ${formatDate('2027-04-01')}`,
    ]);
    expect(linesOf({ participation: { from: '2027-03-08', until: '2027-04-01' } })).toEqual([
      `${formatDate('2027-03-08')} to ${formatDate('2027-04-01')}`,
    ]);
    expect(linesOf({ properties: { site: 'Lyon' } })).toEqual(['site: Lyon']);
    expect(linesOf({})).toEqual([]);
  });

  test('change only where they differ, and an emptied field takes them away', () => {
    const change = (dates: Record<string, string>, participation = {}) =>
      changeOf('c', chidi, { dates, participation }, names);
    expect(change({ surgery: '2027-03-02' })).toBeUndefined();
    expect(change({ discharge: '2027-03-09' })).toEqual({
      user: 'c',
      dates: { surgery: null, discharge: '2027-03-09' },
    });
    expect(change({ surgery: '2027-03-02' }, { until: '2027-04-01' })).toEqual({
      user: 'c',
      participation: { until: '2027-04-01' },
    });
    expect(changeOf('d', dana, { dates: {}, participation: {} }, names)).toEqual({
      user: 'd',
      participation: null,
    });
  });
});
