import { expect, test } from 'vitest';
import { cellOf } from '../../console/table-csv.ts';

test('a text that a spreadsheet would run gets an apostrophe, also behind a semicolon or a new line', () => {
  for (const [shown, cell] of [
    ['=1+1', "'=1+1"],
    ['x;=1+1', `"x;'=1+1"`],
    ['x; "@SUM(A1)"', `"x; ""'@SUM(A1)"""`],
    ['x\n+1+1', `"x; '+1+1"`],
    ['x;－1', `"x;'－1"`],
    ['-5', '-5'],
    ['-1e-7', '-1e-7'],
    ['3; -1E-7', '"3; -1E-7"'],
    ['-1e-7+1', "'-1e-7+1"],
    ['3; -5', '"3; -5"'],
    ['a-b; c=d', '"a-b; c=d"'],
  ] as const)
    expect(cellOf(shown)).toBe(cell);
});
