import { expect, test } from 'vitest';
import { durationOf, minutesIn } from '../../console/features/reminders/durations.ts';
import {
  type Draft,
  draftOf,
  emptyDraft,
  overlaps,
  timingOf,
  withNudges,
  withTimes,
} from '../../console/features/reminders/reminder-draft.ts';

/* The defaults of the reminder form. */

const expiryOf = ({ expiry }: Draft) => minutesIn(expiry);

test('reminders come whether or not the survey was answered, unless somebody asks for the other', () => {
  expect(timingOf(emptyDraft())).toMatchObject({ unlessAnswered: false, expiresAfter: 360 });
});

test('random reminders are proposed to expire before the next one can come', () => {
  const random = withTimes(emptyDraft(), { isWindowed: true });
  expect(timingOf(random)).toMatchObject({ minGap: 30, expiresAfter: 29 });
  expect(expiryOf(withTimes(random, { minGap: '60' }))).toBe(59);
  // While it is typed.
  for (const minGap of ['', '0', '1', 'x']) expect(expiryOf(withTimes(random, { minGap }))).toBe(360);
  expect(expiryOf(withTimes(random, { isWindowed: false }))).toBe(360);
  expect(overlaps(random)).toBe(false);
});

test('a choice is kept, and two open at once are told', () => {
  const chosen = withTimes({ ...emptyDraft(), expiry: durationOf(120) }, { isWindowed: true });
  expect(expiryOf(chosen)).toBe(120);
  expect(expiryOf(withTimes(chosen, { minGap: '60' }))).toBe(120);
  expect(overlaps(chosen)).toBe(true);
  expect(overlaps({ ...chosen, minGap: '0' })).toBe(false);
  const saved = draftOf({
    type: 'rolling',
    recurrence: '* * * * *',
    ends: null,
    delay: null,
    windows: [{ from: '09:00', to: '21:00', count: 3 }],
    unlessAnswered: true,
    expiresAfter: 360,
    notification: { subject: 'Now', body: 'How are you?' },
  });
  expect(saved).toMatchObject({ expiry: { amount: '6', unit: 'hours' }, unlessAnswered: true });
  expect(overlaps(saved)).toBe(true);
});

test('nudges are proposed so that the last comes before the expiry', () => {
  const nudgesOf = (expiresAfter: number) => {
    const { every, max } = withNudges({ ...emptyDraft(), expiry: durationOf(expiresAfter) }).nudges;
    return [minutesIn(every), max];
  };
  expect(nudgesOf(360)).toEqual([30, '2']);
  expect(nudgesOf(61)).toEqual([30, '2']);
  expect(nudgesOf(60)).toEqual([29, '2']);
  expect(nudgesOf(29)).toEqual([14, '2']);
  expect(nudgesOf(9)).toEqual([8, '1']);
  // No nudge fits: the service says so beside the field.
  expect(nudgesOf(3)).toEqual([5, '1']);
});
