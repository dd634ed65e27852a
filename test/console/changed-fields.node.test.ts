import { expect, test } from 'vitest';
import { changedFields } from '../../console/features/activity/changed-fields.ts';

const when = 'When, by each person’s own clock';
const reminders = {
  type: 'rolling',
  recurrence: '15 21 * * 1,3',
  ends: null,
  delay: null,
  expiresAfter: 360,
  unlessAnswered: false,
  notification: { subject: 'Diary', body: 'How was it?' },
};

test('an entry tells changed reminders in words, and only what differs', () => {
  const after = {
    ...reminders,
    recurrence: '30 8 * * *',
    unlessAnswered: true,
    notification: { subject: 'Diary', body: 'How was your day?' },
  };
  expect(changedFields({ reminders }, { reminders: after })).toEqual([
    { name: when, from: 'Monday and Wednesday at 21:15', to: 'Every day at 08:30' },
    { name: 'No reminder if answered that day', from: 'No', to: 'Yes' },
    { name: 'Text, body', from: 'How was it?', to: 'How was your day?' },
  ]);
});

test('an entry tells first reminders without an expression', () => {
  const changes = changedFields({ reminders: null }, { reminders });
  expect(changes).toContainEqual({ name: when, from: '–', to: 'Monday and Wednesday at 21:15' });
  expect(JSON.stringify(changes)).not.toContain('* *');
});

test('an entry tells plain values as they are', () => {
  expect(changedFields({ name: 'Sleep', role: 'editor' }, { name: 'Dreams', role: 'editor' })).toEqual([
    { name: 'Name', from: 'Sleep', to: 'Dreams' },
  ]);
  expect(changedFields(undefined, undefined)).toEqual([]);
});

test('an entry tells visits by their days, and how long they are open in days', () => {
  const visits = {
    ...reminders,
    type: 'fixed',
    recurrence: '0 9 * * *',
    from: { date: 'surgery' },
    days: [21],
  };
  const after = { ...visits, days: { every: 10, times: 9 }, expiresAfter: 30_240, answerWithin: 20_160 };
  expect(changedFields({ reminders: visits }, { reminders: after })).toEqual([
    {
      name: when,
      from: '21 days after surgery at 09:00',
      to: 'Every 10 days from surgery on, 9 times, at 09:00, open for 21 days',
    },
    { name: 'A reminder expires after', from: '6 hours', to: '21 days' },
    { name: 'An answer is in time within', from: '–', to: '14 days' },
  ]);
});

test('an entry tells dates by their names, and apart from the time in which a person takes part', () => {
  const before = { dates: { surgery: '2026-03-02' }, participation: null };
  const after = {
    dates: { surgery: '2026-03-09', status: '2026-04-01' },
    participation: { from: '2026-03-01', until: '2026-09-30' },
  };
  expect(changedFields(before, after)).toEqual([
    { name: 'Date “surgery”', from: '2026-03-02', to: '2026-03-09' },
    { name: 'Date “status”', from: '–', to: '2026-04-01' },
    { name: 'Takes part since', from: '–', to: '2026-03-01' },
    { name: 'Takes part until', from: '–', to: '2026-09-30' },
  ]);
});

test('an entry tells the names of a study’s dates as a list', () => {
  expect(changedFields({ dates: [] }, { dates: ['surgery', 'discharge'] })).toEqual([
    { name: 'Dates', from: '–', to: 'surgery, discharge' },
  ]);
});
