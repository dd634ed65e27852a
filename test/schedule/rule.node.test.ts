import { describe, expect, test } from 'vitest';
import { parseRule } from '../../src/schedule/rule.ts';
import { ruleOf } from './fixtures.ts';

const expectFiveFields =
  'expected five fields (minute, hour, day of month, month, day of week) separated by single spaces';
const expectMinute = 'expected one number from 0 to 59';
const expectHour = 'expected one number from 0 to 23';
const expectDayOfMonth =
  'expected * or a list of numbers and ranges from 1 to 31, with steps from 1 to 31 over a range or *';
const expectDayOfWeek =
  'expected * or a list of numbers and ranges from 0 to 7, with steps from 1 to 7 over a range or *';

function details(type: 'fixed' | 'rolling', recurrence: string): string[] {
  const parsed = parseRule({ type, recurrence });
  if ('rule' in parsed) return [];
  expect(parsed.issues.map((issue) => issue.pointer)).toEqual(parsed.issues.map(() => '/recurrence'));
  return parsed.issues.map((issue) => issue.detail);
}

describe('a recurrence is refused, with the field, the value and what was expected', () => {
  test.each([
    '',
    ' ',
    '0 8 * *',
    '0 0 8 * * *',
    '@daily',
    '0  8 * * *',
    ' 8 * * *',
    ' 0 8 * * *',
    '0 8 * * * ',
    '0\t8 * * *',
    '0\u00a08 * * *',
    '0 8 * * *\n0 9 * * *\n0 9 * * *',
  ])('unless it is five fields: %j', (recurrence) => {
    const refused = [`Unexpected recurrence '${recurrence}': ${expectFiveFields}`];
    expect(details('rolling', recurrence)).toEqual(refused);
    expect(details('fixed', recurrence)).toEqual(refused);
  });

  test.each([
    ['60 8 * * *', 'Too large value', '60', 'minute', expectMinute],
    ['5,35 8 * * *', 'Unexpected value', '5,35', 'minute', expectMinute],
    ['0-30 8 * * *', 'Unexpected value', '0-30', 'minute', expectMinute],
    ['*/61 8 * * *', 'Unexpected value', '*/61', 'minute', expectMinute],
    ['* 8 * * *', 'Unexpected value', '*', 'minute', expectMinute],
    ['H 8 * * *', 'Unexpected value', 'H', 'minute', expectMinute],
    ['-1 8 * * *', 'Unexpected value', '-1', 'minute', expectMinute],
    ['1.5 8 * * *', 'Unexpected value', '1.5', 'minute', expectMinute],
    ['0 24 * * *', 'Too large value', '24', 'hour', expectHour],
    ['0 * * * *', 'Unexpected value', '*', 'hour', expectHour],
    ['0 8,20 * * *', 'Unexpected value', '8,20', 'hour', expectHour],
    ['0 ８ * * *', 'Unexpected value', '８', 'hour', expectHour],
    ['0 8 * 1 *', 'Unexpected value', '1', 'month', 'expected *'],
    ['0 8 * */1 *', 'Unexpected value', '*/1', 'month', 'expected *'],
    ['0 8 * * 8', 'Too large value', '8', 'day of week', expectDayOfWeek],
    ['0 8 * * 3-8', 'Too large value', '8', 'day of week', expectDayOfWeek],
    ['0 8 * * MON', 'Unexpected value', 'MON', 'day of week', expectDayOfWeek],
    ['0 8 * * ?', 'Unexpected value', '?', 'day of week', expectDayOfWeek],
    ['0 8 * * L', 'Unexpected value', 'L', 'day of week', expectDayOfWeek],
    ['0 8 * * 1#2', 'Unexpected value', '1#2', 'day of week', expectDayOfWeek],
    ['0 8 * * 1/2', 'Unexpected value', '1/2', 'day of week', expectDayOfWeek],
    ['0 8 * * *,1', 'Unexpected value', '*', 'day of week', expectDayOfWeek],
    ['0 8 * * 1,', 'Unexpected value', '', 'day of week', expectDayOfWeek],
    ['0 8 * * 1-', 'Unexpected value', '1-', 'day of week', expectDayOfWeek],
    ['0 8 * * 1-5/1/1', 'Unexpected value', '1-5/1/1', 'day of week', expectDayOfWeek],
    ['0 8 * * 5-1', 'Reversed range', '5-1', 'day of week', expectDayOfWeek],
    ['0 8 * * */0', 'Too small step', '0', 'day of week', expectDayOfWeek],
    ['0 8 * * 1-5/0', 'Too small step', '0', 'day of week', expectDayOfWeek],
    ['0 8 * * */8', 'Too large step', '8', 'day of week', expectDayOfWeek],
    ['0 8 * * 1\n', 'Unexpected value', '1\n', 'day of week', expectDayOfWeek],
  ])('whatever the type: %j', (recurrence, fault, value, field, expected) => {
    const refused = [
      `${fault} '${value}' in the ${field} field of the recurrence '${recurrence}': ${expected}`,
    ];
    expect(details('rolling', recurrence)).toEqual(refused);
    expect(details('fixed', recurrence)).toEqual(refused);
  });

  test.each([
    ['0 8 0 * *', 'Too small value', '0'],
    ['0 8 32 * *', 'Too large value', '32'],
    ['0 8 20-32 * *', 'Too large value', '32'],
    ['0 8 L * *', 'Unexpected value', 'L'],
    ['0 8 5/15 * *', 'Unexpected value', '5/15'],
    ['0 8 31-1 * *', 'Reversed range', '31-1'],
    ['0 8 */32 * *', 'Too large step', '32'],
  ])('fixed: %j', (recurrence, fault, value) => {
    expect(details('fixed', recurrence)).toEqual([
      `${fault} '${value}' in the day of month field of the recurrence '${recurrence}': ${expectDayOfMonth}`,
    ]);
  });

  test.each(['1', '1-31', '*/1', '*/2', 'L'])('rolling takes no day of month: %j', (days) => {
    expect(details('rolling', `0 8 ${days} * *`)).toEqual([
      `Unexpected value '${days}' in the day of month field of the recurrence '0 8 ${days} * *': expected *`,
    ]);
  });

  test('fixed takes one day field', () => {
    expect(details('fixed', '0 8 1 * 1')).toEqual([
      "Two day fields in the recurrence '0 8 1 * 1': expected * as day of month or as day of week",
    ]);
  });

  test('all that is wrong is said at once', () => {
    expect(details('rolling', '60 24 1 1 8')).toEqual([
      `Too large value '60' in the minute field of the recurrence '60 24 1 1 8': ${expectMinute}`,
      `Too large value '24' in the hour field of the recurrence '60 24 1 1 8': ${expectHour}`,
      "Unexpected value '1' in the day of month field of the recurrence '60 24 1 1 8': expected *",
      "Unexpected value '1' in the month field of the recurrence '60 24 1 1 8': expected *",
      `Too large value '8' in the day of week field of the recurrence '60 24 1 1 8': ${expectDayOfWeek}`,
    ]);
  });

  test('one that is too long is neither read nor quoted', () => {
    const longest = `0 8 * * ${'1'.padStart(192, '0')}`;
    expect(details('rolling', longest)).toEqual([]);
    expect(details('rolling', `${longest}1`)).toEqual([
      'Too long recurrence of 201 characters: expected at most 200',
    ]);
    expect(details('fixed', `0 8 * * ${'1,'.repeat(500_000)}1`)).toEqual([
      'Too long recurrence of 1000009 characters: expected at most 200',
    ]);
  });
});

describe('ends and delay', () => {
  const century = 36_500;
  test.each([
    ['ends', 0, 1],
    ['ends', -1, 1],
    ['ends', 1.5, 1],
    ['ends', century + 1, 1],
    ['ends', Number.NaN, 1],
    ['delay', -1, 0],
    ['delay', 0.5, 0],
    ['delay', century + 1, 0],
  ])('rolling refuses %s %d', (name, value, min) => {
    const detail = `Unexpected ${name} '${value}': expected null or a whole number from ${min} to ${century}`;
    expect(parseRule({ type: 'rolling', recurrence: '0 8 * * *', [name]: value })).toEqual({
      issues: [{ pointer: `/${name}`, detail }],
    });
  });

  test.each(['ends', 'delay'])('fixed refuses %s, even one that changes nothing', (name) => {
    const detail = `Unexpected ${name} '0': expected null, as fixed reminders take no ${name}`;
    expect(parseRule({ type: 'fixed', recurrence: '0 8 * * *', [name]: 0 })).toEqual({
      issues: [{ pointer: `/${name}`, detail }],
    });
  });

  test('are reported beside a wrong recurrence', () => {
    const parsed = parseRule({ type: 'rolling', recurrence: '', ends: 0, delay: -1 });
    expect('issues' in parsed && parsed.issues.map((issue) => issue.pointer)).toEqual([
      '/recurrence',
      '/ends',
      '/delay',
    ]);
  });

  test('are null when absent, and within bounds as given', () => {
    expect(ruleOf('rolling', '0 8 * * *')).toMatchObject({ ends: null, delay: 0 });
    expect(ruleOf('rolling', '0 8 * * *', { ends: null, delay: null })).toMatchObject({
      ends: null,
      delay: 0,
    });
    expect(ruleOf('rolling', '0 8 * * *', { ends: 1, delay: 0 })).toMatchObject({ ends: 1, delay: 0 });
    expect(ruleOf('rolling', '0 8 * * *', { ends: century, delay: century })).toMatchObject({
      ends: century,
      delay: century,
    });
    expect(ruleOf('fixed', '0 8 * * *', { ends: null, delay: null })).toEqual(ruleOf('fixed', '0 8 * * *'));
  });
});

describe('a recurrence is read', () => {
  test.each([
    ['*', [0, 1, 2, 3, 4, 5, 6]],
    ['*/1', [0, 1, 2, 3, 4, 5, 6]],
    ['0-7', [0, 1, 2, 3, 4, 5, 6]],
    ['7', [0]],
    ['0,7', [0]],
    ['5-7', [0, 5, 6]],
    ['5,3,1', [1, 3, 5]],
    ['1-5,3,2-4', [1, 2, 3, 4, 5]],
    ['*/2', [0, 2, 4, 6]],
    ['*/7', [0]],
    ['1-6/2', [1, 3, 5]],
    ['01,05', [1, 5]],
  ])('rolling, weekdays %s', (days, weekdays) => {
    expect(ruleOf('rolling', `30 21 * * ${days}`)).toEqual({
      type: 'rolling',
      time: '21:30',
      weekdays,
      delay: 0,
      ends: null,
    });
  });

  test.each([
    ['* * *', 'every'],
    ['* * 0', [0]],
    ['* * 7', [7]],
    ['* * 0,7', [0, 7]],
    ['* * 5-7', [5, 6, 7]],
    ['* * */1', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['* * */2', [0, 2, 4, 6]],
    ['* * */7', [0, 7]],
    ['1 * *', [1]],
    ['31 * *', [31]],
    ['1,3,5-7 * *', [1, 3, 5, 6, 7]],
    ['5-7,1,6 * *', [1, 5, 6, 7]],
    ['*/10 * *', [1, 11, 21, 31]],
    ['2-31/14 * *', [2, 16, 30]],
    ['*/31 * *', [1]],
    ['007 * *', [7]],
  ])('fixed, days %s', (days, expected) => {
    expect(ruleOf('fixed', `5 7 ${days}`)).toEqual({
      type: 'fixed',
      time: '07:05',
      from: 'download',
      days: expected,
    });
  });

  test('with times of day from the first to the last minute, leading zeros or not', () => {
    const times = ['0 0', '59 23', '00 08', '5 9', '05 09'].map(
      (time) => ruleOf('rolling', `${time} * * *`).time,
    );
    expect(times).toEqual(['00:00', '23:59', '08:00', '09:05', '09:05']);
  });
});

describe("days of a person's own", () => {
  const parse = (given: object) =>
    parseRule({ type: 'fixed', recurrence: '0 9 * * *', ...given } as Parameters<typeof parseRule>[0]);
  const pointers = (given: object) => {
    const parsed = parse(given);
    return 'issues' in parsed ? parsed.issues.map(({ pointer }) => pointer) : [];
  };

  test.each([
    ['a list, in any order and each once', { days: [60, 5, 30, 5] }, { days: [5, 30, 60] }],
    ['a day every so often', { days: { every: 10, times: 9 } }, { days: { burst: 1, every: 10, times: 9 } }],
    ['bursts', { days: { burst: 7, every: 91, times: 4 } }, { days: { burst: 7, every: 91, times: 4 } }],
    ['from joining', { from: 'joined', days: [0] }, { from: 'joined', days: [0] }],
    [
      'before a date that lies ahead',
      { from: { date: 'surgery' }, days: [-7, -1] },
      { from: { date: 'surgery' }, days: [-7, -1] },
    ],
    ['the farthest', { from: { date: 'x' }, days: [-365, 3650] }, { days: [-365, 3650] }],
    ['the longest', { days: { every: 1, times: 3651 } }, { days: { burst: 1, every: 1, times: 3651 } }],
    ['the day fields, from a date', { from: { date: 'x' }, recurrence: '0 9 1,3 * *' }, { days: [1, 3] }],
  ])('are read: %s', (_, given, rule) => {
    expect(parse(given)).toMatchObject({ rule: { type: 'fixed', time: '09:00', ...rule } });
  });

  test.each([
    [{ days: [] }, ['/days']],
    [{ days: Array.from({ length: 401 }, (_, n) => n) }, ['/days']],
    [{ days: [1, 1.5, -366, 3651] }, ['/days/1', '/days/2', '/days/3']],
    [{ days: [-1] }, ['/days']],
    [{ from: 'joined', days: [-3, -1] }, ['/days']],
    [{ days: { every: 0, times: 1 } }, ['/days/every']],
    [{ days: { every: 7, times: 0 } }, ['/days/times']],
    [{ days: { every: 7, times: 1, burst: 8 } }, ['/days/burst']],
    [{ days: { every: 365, times: 12 } }, ['/days']],
    [{ days: { every: 3650, times: 2, burst: 2 } }, ['/days']],
    [{ days: [1], recurrence: '0 9 1 * *' }, ['/recurrence']],
    [{ type: 'rolling', days: [1] }, ['/days']],
    [{ type: 'rolling', from: 'joined' }, ['/from']],
    [{ pick: 1 }, ['/pick']],
  ])('are refused where they make no sense: %j', (given, expected) => {
    expect(pointers(given)).toEqual(expected);
  });

  test.each([
    ['* * *', 6],
    ['* * 1-5', 5],
    ['* * 1,7', 2],
  ])('weekdays are drawn from those that are listed: %s', (days, most) => {
    const drawing = (pick: number) => ({ type: 'rolling', recurrence: `0 9 ${days}`, pick });
    expect(pointers(drawing(most))).toEqual([]);
    for (const pick of [0, 1.5, most + 1]) expect(pointers(drawing(pick)), String(pick)).toEqual(['/pick']);
  });
});
