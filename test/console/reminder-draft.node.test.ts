import { expect, test } from 'vitest';
import {
  draftOf,
  emptyDraft,
  overlaps,
  timingOf,
  withNudges,
  withTimes,
} from '../../console/features/reminders/reminder-draft.ts';

/* The defaults of the reminder form. */

test('reminders come whether or not the survey was answered, unless somebody asks for the other', () => {
  expect(timingOf(emptyDraft())).toMatchObject({ unlessAnswered: false, expiresAfter: 360 });
});

test('random reminders are proposed to expire before the next one can come', () => {
  const random = withTimes(emptyDraft(), { isWindowed: true });
  expect(timingOf(random)).toMatchObject({ minGap: 30, expiresAfter: 29 });
  expect(withTimes(random, { minGap: '60' }).expiresAfter).toBe('59');
  // While it is typed.
  for (const minGap of ['', '0', '1', 'x']) expect(withTimes(random, { minGap }).expiresAfter).toBe('360');
  expect(withTimes(random, { isWindowed: false }).expiresAfter).toBe('360');
  expect(overlaps(random)).toBe(false);
});

test('a choice is kept, and two open at once are told', () => {
  const chosen = withTimes({ ...emptyDraft(), expiresAfter: '120' }, { isWindowed: true });
  expect(chosen.expiresAfter).toBe('120');
  expect(withTimes(chosen, { minGap: '60' }).expiresAfter).toBe('120');
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
  expect(saved).toMatchObject({ expiresAfter: '360', unlessAnswered: true });
  expect(overlaps(saved)).toBe(true);
});

test('nudges are proposed so that the last comes before the expiry', () => {
  const nudgesOf = (expiresAfter: string) => withNudges({ ...emptyDraft(), expiresAfter }).nudges;
  expect(nudgesOf('360')).toMatchObject({ every: '30', max: '2' });
  expect(nudgesOf('61')).toMatchObject({ every: '30', max: '2' });
  expect(nudgesOf('60')).toMatchObject({ every: '29', max: '2' });
  expect(nudgesOf('29')).toMatchObject({ every: '14', max: '2' });
  expect(nudgesOf('9')).toMatchObject({ every: '8', max: '1' });
  // No nudge fits: the service says so beside the field.
  expect(nudgesOf('3')).toMatchObject({ every: '5', max: '1' });
});
