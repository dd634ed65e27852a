import * as z from 'zod';
import { dateName, itemIdentifier, languageTag, wallEnd, wallTime } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { bounded, identifier, text } from '../http/validation.ts';
import { maxNudges } from '../schedule/daily-limit.ts';
import { parseRule } from '../schedule/rule.ts';

/** A whole number. `abort`: another one would make no sense of the rule, which is not checked then. */
const whole = (min: number, max: number, error: string, abort = false) =>
  z.int({ error }).min(min, { error, abort }).max(max, { error, abort });

const days = z.number({ error: 'Expected a whole number or null.' }).nullable();

const expectedStart = 'Expected download, joined, or the name of a date: { "date": "surgery" }.';
const start = z
  .union([z.enum(['download', 'joined']), z.strictObject({ date: dateName })], { error: expectedStart })
  .optional()
  .meta({
    description:
      "Fixed only: the day 0. `download`, the default: the local date on which the person first downloaded the survey. `joined`: the local date on which they joined the study. `{ date }`: a date of each member's own, of a name that the study declares in `dates`; without it nothing is due.",
    examples: [{ date: 'surgery' }],
  });

const expectedDays = 'Expected a list of days, or every and times.';
const times = z.number({ error: 'Expected a whole number.' });
const listedDays = z
  .union([z.array(times).max(1000), z.strictObject({ burst: times.optional(), every: times, times })], {
    error: expectedDays,
  })
  .optional()
  .meta({
    description:
      'Fixed only, with `*` in both day fields of the recurrence: up to 400 days from -365 to 3650, counted from day 0; or a day `every` so many days, `times` times, beginning with day 0; or from each of these on `burst` days in a row. Days before day 0 come only where it is a date of their own that lies ahead.',
    examples: [[5, 30, 60, 90], { every: 10, times: 9 }, { burst: 7, every: 91, times: 4 }],
  });

const expectedWindows = 'Expected 1 to 12 windows.';
const window = z.strictObject({
  from: wallTime,
  to: wallEnd,
  count: whole(1, 10, 'Expected a whole number from 1 to 10.', true).default(1),
});

const expectedAnswers = 'Expected 1 to 100 answers.';
const expectedItems = 'Expected 1 to 20 items.';
const trigger = z
  .strictObject({
    survey: identifier,
    where: z
      .record(
        itemIdentifier,
        z.array(text(1, 1000), { error: expectedAnswers }).min(1, expectedAnswers).max(100, expectedAnswers),
        { error: 'Expected a map from item identifier to answers.' },
      )
      .refine((items) => Object.keys(items).length > 0 && Object.keys(items).length <= 20, expectedItems)
      .optional(),
    after: whole(0, 43_200, 'Expected minutes from 0 to 43200.'),
    at: wallTime.optional(),
    each: z.boolean({ error: 'Expected true or false.' }).default(true),
  })
  .meta({
    description:
      "Triggered only: each response of the person to `survey`, of the same study, gives one occurrence, `after` minutes after it was given, or at the first `at` of the person's clock from then on; with `each` false only their first response. With `where` a response counts while each of these items has one of these answers. No occurrence is sent twice, whatever is edited later; one that is not due yet is invalidated when its response is deleted or does not fit any more. `after` is at least 5 where surveys trigger each other in a circle.",
    examples: [{ survey: examples.survey.identifier, where: { q1: ['badly'] }, after: 20, each: true }],
  });

const timing = z.strictObject({
  type: z.enum(['fixed', 'rolling', 'triggered'], { error: 'Expected fixed, rolling or triggered.' }),
  recurrence: bounded(200, 'Expected five fields: minute hour day-of-month month day-of-week.')
    .nullable()
    .meta({
      description:
        'Minute, hour, day of month, month, day of week; what is allowed depends on the type. Null for triggered reminders.',
      examples: ['30 21 * * *', '0 8 * * 1,3,5'],
    }),
  clock: z.enum(['participant', 'study'], { error: 'Expected participant or study.' }).optional().meta({
    description:
      "The clock of the times. `participant`, the default: each participant's own, wherever they are. `study`: the study's, so that a reminder comes to everybody at the same instant, and `customRemindersTime` does not apply. Quiet hours always go by the participant's clock.",
  }),
  trigger: trigger.optional(),
  from: start,
  days: listedDays,
  pick: z
    .number({ error: 'Expected a whole number from 1 to 6.' })
    .optional()
    .meta({
      description:
        'Rolling only: so many of the listed weekdays of each week, 1 to 6, drawn for each person. Weeks begin on the first day of the series.',
      examples: [2],
    }),
  ends: days.default(null).meta({ description: 'Rolling only: the number of dates.' }),
  delay: days.default(null).meta({ description: 'Rolling only: days from the start of the study.' }),
  windows: z
    .array(window, { error: expectedWindows })
    .min(1, expectedWindows)
    .max(12, expectedWindows)
    .optional()
    .meta({
      description:
        'Stretches of a day, in order and not overlapping. Each listed date has `count` occurrences per window, at minutes drawn for each person, from `from` up to `to`, which may be `24:00`; a night is two windows, one up to 24:00 and one from 00:00, the earlier one first; on a date on which clocks go forward an occurrence may fall past `to` by as much. With windows the minute and the hour of `recurrence` are `*`, and `customRemindersTime` does not apply.',
      examples: [[{ from: '09:00', to: '12:00', count: 2 }]],
    }),
  minGap: whole(0, 720, 'Expected minutes from 0 to 720.', true).optional().meta({
    description:
      'With windows only: the least minutes between two occurrences of a date. Over midnight two may be closer. 30 when omitted.',
  }),
});

const message = z.strictObject({ subject: text(1, 200), body: text(1, 4000) });

const maxTranslations = 50;
const translations = z
  .record(languageTag, message, { error: 'Expected an object from language tag to subject and body.' })
  .superRefine((texts, ctx) => {
    const seen = new Set<string>();
    for (const tag of Object.keys(texts)) {
      if (seen.has(tag.toLowerCase()))
        ctx.addIssue({
          code: 'custom',
          path: [tag],
          message: 'Expected each language tag once, in any case.',
        });
      seen.add(tag.toLowerCase());
    }
    if (Object.keys(texts).length > maxTranslations)
      ctx.addIssue({ code: 'custom', message: `Expected at most ${maxTranslations} translations.` });
  })
  .meta({
    description:
      'By language tag (BCP 47). A phone gets the translation that matches its language, else `notification`.',
    examples: [{ fr: { subject: 'Journal', body: 'Comment était votre journée ?' } }],
  });

const followUps = z
  .strictObject({
    every: whole(5, 10_080, 'Expected minutes from 5 to 10080.'),
    max: whole(1, maxNudges, `Expected a whole number from 1 to ${maxNudges}.`),
    stop: z.enum(['answered', 'opened'], { error: 'Expected answered or opened.' }).default('answered'),
  })
  .meta({
    description:
      'Nudges: further pushes after each push, `every` minutes apart, at most `max`, until the occurrence has its answer or, with `stop` `opened`, the notification is opened. `every` times `max` is below `expiresAfter`, because no nudge comes exactly at the expiry. After a snooze, `every` counts from its push. Nudges that are whole days apart (1440, 2880, ...) come at the time of day of the reminder, where the person is, or when the quiet hours end in which that falls.',
  });

/** Sixty days. */
const maxOpenMinutes = 86_400;

const settings = timing.extend({
  unlessAnswered: z.boolean({ error: 'Expected true or false.' }).default(false),
  expiresAfter: whole(1, maxOpenMinutes, `Expected minutes from 1 to ${maxOpenMinutes}.`).default(360),
  notification: message,
  translations: translations.optional(),
  followUps: followUps.nullable().optional(),
  answerWithin: whole(1, maxOpenMinutes, `Expected minutes from 1 to ${maxOpenMinutes}.`).optional().meta({
    description: 'Minutes. An answer that is given later than this after its reminder was due is `late`.',
  }),
  lateAnswers: z.enum(['accept', 'refuse'], { error: 'Expected accept or refuse.' }).optional().meta({
    description:
      'Only beside `answerWithin`. With `refuse` a late answer is 409 `survey.closed`. `accept` when omitted.',
  }),
});

function checkRule(value: Omit<z.output<typeof settings>, 'notification'>, ctx: z.RefinementCtx) {
  checkFollowUps(value, ctx);
  if (value.lateAnswers !== undefined && value.answerWithin === undefined)
    ctx.addIssue({
      code: 'custom',
      path: ['lateAnswers'],
      message: 'Expected answerWithin beside lateAnswers: without answerWithin no answer is late.',
    });
  const parsed = parseRule(value);
  for (const issue of 'issues' in parsed ? parsed.issues : [])
    ctx.addIssue({ code: 'custom', path: issue.pointer.split('/').slice(1), message: issue.detail });
}

function checkFollowUps(
  { followUps, expiresAfter }: Pick<z.output<typeof settings>, 'followUps' | 'expiresAfter'>,
  ctx: z.RefinementCtx,
) {
  const last = followUps ? followUps.every * followUps.max : 0;
  if (last > 0 && last >= expiresAfter && ctx.issues.length === 0)
    ctx.addIssue({
      code: 'custom',
      path: ['followUps'],
      message: `The last nudge would come after ${last} minutes: expected every times max to be below expiresAfter, ${expiresAfter} minutes.`,
    });
}

/** The `reminders` property of a survey, with defaults for omitted fields. */
export const reminders = settings.superRefine(checkRule);

/** The same for a preview, where texts are optional. */
export const previewReminders = settings.partial({ notification: true }).superRefine(checkRule);
