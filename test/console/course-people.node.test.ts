import { expect, test } from 'vitest';
import { type Person, peopleOf } from '../../console/features/reminders/course-people.ts';

/* The people whose whole course the editor of reminders shows. */

const given = {
  study: { startsOn: '2027-01-04', participationDays: 42 },
  today: '2027-03-08',
  example: '2027-03-08',
  members: [],
};
const daysOf = (people: readonly Person[]) =>
  people.map(({ name, dayZero, participation }) => [
    name,
    dayZero,
    participation?.from,
    participation?.until,
  ]);

test('on the calendar people who joined at different times have the same first day', () => {
  expect(daysOf(peopleOf({ ...given, timing: { type: 'rolling' } }))).toEqual([
    ['Joins today', '2027-01-04', '2027-03-08', '2027-04-18'],
    ['Joined 30 days ago', '2027-01-04', '2027-02-06', '2027-03-19'],
    ['Joined on the first day', '2027-01-04', '2027-01-04', '2027-02-14'],
  ]);
  // Nobody has joined 30 days before a study that began last week.
  const study = { startsOn: '2027-03-01' };
  expect(daysOf(peopleOf({ ...given, study, timing: { type: 'rolling' } }))).toEqual([
    ['Joins today', '2027-03-01', '2027-03-08', undefined],
    ['Joined on the first day', '2027-03-01', '2027-03-01', undefined],
  ]);
});

test('days from joining have a day 0 each, and the preview’s own example is one more', () => {
  const timing = { type: 'fixed', from: 'joined' } as const;
  expect(daysOf(peopleOf({ ...given, timing, example: '2027-05-01' }))).toEqual([
    ['Joins today', '2027-03-08', '2027-03-08', '2027-04-18'],
    ['Joined 30 days ago', '2027-02-06', '2027-02-06', '2027-03-19'],
    ['Your example', '2027-05-01', '2027-05-01', '2027-06-11'],
  ]);
  expect(peopleOf({ ...given, timing: { type: 'fixed' } })[0]?.name).toBe('Downloads today');
});

test('a date that lies ahead, today and behind are shown beside members who have it', () => {
  const chidi = { key: 'chidi', name: 'Chidi', dayZero: '2027-02-20' };
  const timing = { type: 'fixed', from: { date: 'surgery' } } as const;
  expect(daysOf(peopleOf({ ...given, timing, members: [chidi] }))).toEqual([
    ['surgery: in two weeks', '2027-03-22', '2027-03-08', '2027-04-18'],
    ['surgery: today', '2027-03-08', '2027-03-08', '2027-04-18'],
    ['surgery: 30 days ago', '2027-02-06', '2027-02-06', '2027-03-19'],
    ['Chidi', '2027-02-20', undefined, undefined],
  ]);
});
