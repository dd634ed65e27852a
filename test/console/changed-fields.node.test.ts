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
