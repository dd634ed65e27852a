import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeReminders } from '../../console/features/reminders/describe.ts';
import { exampleNames, withExample } from '../../console/features/reminders/example-drafts.ts';
import {
  draftOf,
  emptyDraft,
  isSayable,
  type Reminders,
  remindersOf,
  timingOf,
  withExpression,
  withType,
} from '../../console/features/reminders/reminder-draft.ts';
import { reminders as shape } from '../../src/reminders/reminder-shapes.ts';

/* Reminders as they are stored, through the form and back. */

const text = { notification: { subject: 'Diary', body: 'How was your day?' } };
const whole = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const clock = maybe(fc.constant('study' as const));
const time = fc.tuple(whole(0, 59), whole(0, 23)).map(([minute, hour]) => `${minute} ${hour}`);
const windows = fc.constant({
  windows: [
    { from: '09:00', to: '12:00', count: 2 },
    { from: '20:00', to: '24:00', count: 1 },
  ],
  minGap: 45,
});
/** At a time of day or at random times, with these day fields. */
const at = (days: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.tuple(time, days).map(([clock, fields]) => ({ recurrence: `${clock} ${fields}` })),
    fc.tuple(windows, days).map(([random, fields]) => ({ ...random, recurrence: `* * ${fields}` })),
  );

const from = maybe(
  fc.oneof(
    fc.constant('download' as const),
    fc.constant('joined' as const),
    fc.constant({ date: 'surgery' }),
  ),
);
const days = fc.oneof(
  fc.array(whole(-365, 3650), { minLength: 1, maxLength: 40 }).map((list) => [...list, 0]),
  fc.record({ every: whole(1, 90), times: whole(1, 40) }),
  fc.record({ burst: whole(1, 7), every: whole(7, 90), times: whole(1, 40) }),
);
const fixed = fc.oneof(
  fc.record({ from, days, clock, when: at(fc.constant('* * *')) }),
  fc.record({ from, when: at(fc.constantFrom('* * *', '1,7,14-16 * *', '* * 0,7')) }),
);
const rolling = fc.record({
  when: at(fc.constantFrom('* * *', '* * 1-5', '* * 0,2,6')),
  pick: maybe(whole(1, 3)),
  ends: fc.option(whole(1, 400)),
  delay: fc.option(whole(0, 400)),
  clock,
});
const trigger = fc.record({
  survey: fc.constant('e'.repeat(32)),
  after: whole(0, 43_200),
  each: fc.boolean(),
  where: maybe(fc.constant({ pain: ['yes', 'a little'] })),
  at: maybe(fc.constant('08:00')),
});

const open = whole(11, 86_400).chain((expiresAfter) =>
  fc.record({
    expiresAfter: fc.constant(expiresAfter),
    unlessAnswered: fc.boolean(),
    late: maybe(
      fc.record({ answerWithin: whole(1, 86_400), lateAnswers: maybe(fc.constant('refuse' as const)) }),
    ),
    translations: maybe(fc.constant({ fr: { subject: 'Journal', body: 'Et votre journée ?' } })),
    followUps: fc.option(
      fc.record({
        every: whole(5, Math.min(10_080, Math.floor((expiresAfter - 1) / 2))),
        max: whole(1, 2),
        stop: fc.constantFrom('answered' as const, 'opened' as const),
      }),
    ),
  }),
);

/** As JSON has it. */
const definedOf = (value: object) => JSON.parse(JSON.stringify(value));

const stored = fc
  .oneof(
    fixed.map(({ when, ...more }) => ({ type: 'fixed', ends: null, delay: null, ...when, ...more })),
    rolling.map(({ when, ...more }) => ({ type: 'rolling', ...when, ...more })),
    trigger.map((one) => ({ type: 'triggered', recurrence: null, trigger: one })),
  )
  .chain((when) =>
    open.map(
      ({ late, ...waiting }) =>
        shape.parse(definedOf({ ...when, ...waiting, ...late, ...text })) as Reminders,
    ),
  );

test('whatever is stored is loaded into the form, and saved back unchanged', () => {
  fc.assert(
    fc.property(stored, (reminders) => {
      const draft = draftOf(reminders);
      expect(isSayable(draft)).toBe(true);
      expect(draft.expression).toBeNull();
      expect(shape.parse(remindersOf(draft))).toEqual(reminders);
    }),
    { numRuns: 2000 },
  );
});

test('whatever is stored is said in words, with its day 0 and without an expression', () => {
  fc.assert(
    fc.property(stored, (reminders) => {
      const words = describeReminders(reminders);
      expect(words).not.toMatch(/expression|undefined|NaN|\[object|,,| {2}/);
      if (reminders.type === 'fixed')
        expect(words).toContain(
          typeof reminders.from === 'object'
            ? 'surgery'
            : reminders.from === 'joined'
              ? 'joining'
              : 'the download',
        );
    }),
    { numRuns: 500 },
  );
});

test('each example fills the form with reminders that the service takes, in words', () => {
  const said = exampleNames.map((name) =>
    describeReminders(shape.parse(remindersOf(withExample(emptyDraft(), name, ['surgery'])))),
  );
  expect(said).toEqual([
    'Every day at 20:00, on 28 days in all, nudged up to twice, each 1 hour after the one before',
    '7 days in a row every 13 weeks from joining on, 4 times, at random: 4 times from 09:00 to 21:00',
    '5, 30, 60 and 90 days after surgery at 09:00, open for 3 days, nudged up to twice, each 1 day after the one before',
    '14, 77 and 168 days after surgery at 09:00, open for 21 days, nudged up to twice, each 7 days after the one before',
  ]);
});

test('an example counts from a date that the study declares, and leaves a text that somebody has typed', () => {
  const typed = { ...emptyDraft(), subject: 'Hello', body: 'Please answer.' };
  expect(remindersOf(withExample(typed, 'visits', ['discharge', 'birth']))).toMatchObject({
    from: { date: 'discharge' },
    notification: { subject: 'Hello', body: 'Please answer.' },
  });
  expect(withExample(typed, 'visits', ['birth', 'surgery']).from).toEqual({ date: 'surgery' });
});

const fixedAt = (more: object) =>
  describeReminders(shape.parse({ type: 'fixed', recurrence: '0 9 * * *', ...more, ...text }));

test('days around day 0, intervals and draws are said as people say them', () => {
  const surgery = { from: { date: 'surgery' } };
  expect(fixedAt({ ...surgery, days: [-7, -1, 0, 1, 21] })).toBe(
    '1 and 7 days before, on the day of and 1 and 21 days after surgery at 09:00',
  );
  expect(fixedAt({ ...surgery, days: [-1] })).toBe('1 day before surgery at 09:00');
  expect(fixedAt({ days: [0] })).toBe('On the day of the download at 09:00');
  expect(fixedAt({ from: 'joined', days: { every: 10, times: 9 } })).toBe(
    'Every 10 days from joining on, 9 times, at 09:00',
  );
  expect(fixedAt({ from: 'joined' })).toBe('Every day from joining on at 09:00');
  const picked = { type: 'rolling', recurrence: '0 9 * * 1-5', pick: 2, ...text };
  expect(describeReminders(shape.parse(picked))).toBe('2 random days a week, of Monday to Friday, at 09:00');
});

test('an expression beside given days has the time alone, and lists days only where somebody writes them', () => {
  const listed = draftOf(
    shape.parse({ type: 'fixed', recurrence: '0 9 * * *', days: [5, 30], ...text }) as Reminders,
  );
  expect(timingOf(withExpression(listed, '30 8 * * *'))).toMatchObject({
    recurrence: '30 8 * * *',
    days: [5, 30],
  });
  const written = withExpression(listed, '30 8 1,7 * *');
  expect(timingOf(written)).toMatchObject({ recurrence: '30 8 1,7 * *' });
  expect(timingOf(written)).not.toHaveProperty('days');
  // Days that no expression lists go beside it.
  expect(timingOf({ ...written, daysAfter: '1, 7, 40' })).toMatchObject({
    recurrence: '30 8 * * *',
    days: [1, 7, 40],
  });
  expect(isSayable({ ...written, daysAfter: '1, x' })).toBe(false);
  expect(timingOf(withExpression(written, '30 8 * * *'))).not.toHaveProperty('days');
});

test('the calendar has no day 0, no intervals and no bursts', () => {
  const bursts = withExample(emptyDraft(), 'bursts', []);
  const rolling = timingOf(withType(bursts, 'rolling'));
  expect(rolling).not.toHaveProperty('days');
  expect(rolling).not.toHaveProperty('from');
  expect(rolling).toMatchObject({ recurrence: '* * * * *' });
  expect(timingOf(withType({ ...emptyDraft(), pick: '2' }, 'fixed'))).not.toHaveProperty('pick');
});
