import { Hono } from 'hono';
import * as z from 'zod';
import { resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import {
  date,
  instant,
  iso,
  ownDates,
  participation,
  propertyRule,
  quietHours,
  timeZone,
  wallTime,
} from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, next } from '../../http/openapi/shapes.ts';
import { body, count, identifier, query, userOrMe } from '../../http/validation.ts';
import { preview, startOf, starts } from '../../schedule/preview.ts';
import { isDrawn } from '../../schedule/rule.ts';
import { maxCounted, readReach } from '../../studies/reach.ts';
import { requireFit, requireKnown, requireValid } from '../../studies/surveys.ts';
import { followUp, occurrenceList, upcoming } from '../occurrence-shapes.ts';
import { previewChange } from '../reminder-change.ts';
import { reminders as givenReminders, previewReminders } from '../reminder-shapes.ts';
import { readUpcoming } from '../upcoming.ts';

const tag = 'Reminders';

const maxOccurrences = 400;
const expectedCount = `Expected a whole number from 1 to ${maxOccurrences}.`;
const previewBody = z
  .strictObject({
    reminders: previewReminders,
    timeZone,
    studyTimeZone: timeZone.optional(),
    customRemindersTime: wallTime.nullable().optional(),
    quietHours: quietHours.nullable().optional(),
    startsOn: date.optional(),
    downloadedOn: date.optional(),
    joinedOn: date.optional(),
    dates: ownDates(date)
      .optional()
      .meta({ description: "Of `fixed` reminders from a date of the person's own: an example of it." }),
    participation: participation.optional(),
    respondedAt: instant
      .optional()
      .meta({ description: 'Of triggered reminders: when an example of the response is given.' }),
    from: instant.optional(),
    count: z
      .int({ error: expectedCount })
      .min(1, expectedCount)
      .max(maxOccurrences, expectedCount)
      .default(10),
  })
  .superRefine((value, ctx) => {
    if (value.reminders.clock === 'study' && value.studyTimeZone === undefined)
      ctx.addIssue({
        code: 'custom',
        path: ['studyTimeZone'],
        message: "Expected the study's zone: the reminders are on its clock.",
      });
    const { type, from } = value.reminders;
    const needed = startOf(value.reminders);
    const own = typeof from === 'object' && needed === 'dates' ? from.date : undefined;
    if (value[needed] === undefined || (own !== undefined && !value.dates?.[own]))
      ctx.addIssue({
        code: 'custom',
        path: [needed, ...(own === undefined ? [] : [own])],
        message: `Expected ${type === 'triggered' ? 'an instant' : 'a date'}: these ${type} reminders start from it.`,
      });
    for (const other of starts)
      if (other !== needed && value[other] !== undefined)
        ctx.addIssue({
          code: 'custom',
          path: [other],
          message: `Unexpected: these ${type} reminders start from ${needed}.`,
        });
  });
const upcomingQuery = z.strictObject({
  user: userOrMe.default('me'),
  count: count(maxOccurrences, 10),
});

const reach = z
  .strictObject({
    members: z.int().meta({ description: 'Members of the study, without invitations.' }),
    counted: z
      .int()
      .meta({ description: `Members who were looked at for the other counts: at most ${maxCounted}.` }),
    participants: z.int().meta({ description: 'Members who take part, whom the reminders are for.' }),
    downloaded: z.int().meta({ description: 'Members who have downloaded the survey.' }),
    pending: z
      .int()
      .meta({ description: 'Members with a scheduled reminder, which a change would invalidate.' }),
  })
  .meta({ id: 'Reach' });

const maxShown = 1000;
const expectedShown = `Expected a whole number from 0 to ${maxShown}.`;
const changeBody = z
  .strictObject({
    reminders: givenReminders.nullable().optional().meta({ description: 'Those of now when omitted.' }),
    for: propertyRule
      .nullable()
      .optional()
      .meta({ description: 'Those who would take the survey; null: everybody. Those of now when omitted.' }),
    again: z.boolean({ error: 'Expected true or false.' }).default(false),
    from: instant
      .optional()
      .meta({ description: 'Occurrences after this instant are compared; now when omitted.' }),
    limit: z
      .int({ error: expectedShown })
      .min(0, expectedShown)
      .max(maxShown, expectedShown)
      .default(100)
      .meta({
        description:
          'The most people in `page`: the slice ends with the last of them. With 0 nobody is listed, and whole slices are counted.',
      }),
    cursor: identifier.optional().meta({ description: 'The `next` of the answer before.' }),
  })
  .refine(({ reminders, for: rule }) => reminders !== undefined || rule !== undefined, {
    error: 'Expected reminders, or those whom the survey is for.',
    path: ['reminders'],
  });
const upToThree = z.array(at).meta({ description: 'When the next three occurrences are due.' });
const effect = z
  .strictObject({
    people: z.int().meta({
      description:
        'Members of this slice who take part: the sum of the next four. Add up the counts of all slices.',
    }),
    unchanged: z.int(),
    moved: z.int().meta({ description: 'Reminders come at other times.' }),
    added: z.int().meta({ description: 'People without reminders get some.' }),
    removed: z.int().meta({ description: 'No reminder comes any more.' }),
    againToday: z.int().meta({
      description:
        'People who got a push today, by their own date, and whom the new reminders would remind again today. They are reminded again only with `again`.',
    }),
    page: z
      .array(z.strictObject({ user: id, before: upToThree, after: upToThree }))
      .meta({ description: 'People whose occurrences change.' }),
    next,
  })
  .meta({ id: 'ReminderChange' });

/** Chidi's evenings: reminders within his quiet hours come when those end. */
const evenings = {
  reminders: {
    type: 'rolling',
    recurrence: '* * * * *',
    windows: [
      { from: '09:00', to: '12:00', count: 2 },
      { from: '20:00', to: '23:00' },
    ],
    minGap: 45,
    expiresAfter: 120,
    followUps: { every: 30, max: 2, stop: 'opened' },
    notification: { subject: 'Diary', body: 'How do you feel?' },
    translations: { fr: { subject: 'Journal', body: 'Comment vous sentez-vous ?' } },
  },
  timeZone: 'Europe/Paris',
  quietHours: { from: '22:00', to: '09:30' },
  startsOn: '2027-03-01',
  count: 3,
} satisfies z.input<typeof previewBody>;

/** Two Sundays: clocks go forward on the second. */
const sundays = {
  reminders: {
    type: 'rolling',
    recurrence: '30 2 * * 0',
    followUps: { every: 60, max: 1, stop: 'answered' },
  },
  timeZone: 'Europe/Paris',
  startsOn: '2027-03-14',
  from: Date.parse('2027-03-15'),
  count: 2,
} as const;

/** Each evening. */
const diary: z.input<typeof givenReminders> = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your day?' },
};

export const reminders = new Hono<Env>()
  .post(
    '/reminders/preview',
    documented({
      id: 'previewReminders',
      tag,
      summary: 'Computes when reminders would come',
      description:
        '`rolling` reminders start from `startsOn`; `fixed` ones from `downloadedOn`, `joinedOn` or one of `dates`, as their `from` says; `triggered` ones from `respondedAt`: exactly one of them. No survey is looked up for a trigger. Reminders on the clock of the study need `studyTimeZone`; `local` is on the clock of `timeZone`.',
      request: evenings,
      answers: {
        200: json('In order of time.', occurrenceList, {
          occurrences: preview(evenings),
          draw: 'example',
        }),
      },
    }),
    body(previewBody),
    (c) => {
      const request = c.req.valid('json');
      const { reminders } = request;
      requireFit(contextOf(c), reminders);
      const list: z.input<typeof occurrenceList> = {
        occurrences: preview(request),
        ...(isDrawn(reminders) && { draw: 'example' }),
      };
      return c.json(list);
    },
  )
  .get(
    '/survey/:id/reminders/upcoming',
    documented({
      id: 'listUpcoming',
      tag,
      summary: 'Lists the next reminders of a user for a survey',
      description:
        "The caller's reminders; owners, editors and monitors may ask for those of others. `followUp` is the next nudge or snooze of the last occurrence that was sent.",
      answers: {
        200: json('In order of time.', upcoming, {
          occurrences: preview(sundays),
          followUp,
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(upcomingQuery),
    async (c) => {
      const context = contextOf(c);
      const { user, count: limit } = c.req.valid('query');
      const of = { survey: c.req.param('id'), user: resolveUser(user, context.actor) };
      const { occurrences, isDrawn: areDrawn, followUp: next } = await readUpcoming(context, of, limit);
      const list: z.input<typeof upcoming> = {
        occurrences,
        ...(areDrawn && occurrences.length > 0 && { draw: 'user' }),
        ...(next && { followUp: { ...next, dueAt: iso(next.dueAt) } }),
      };
      return c.json(list);
    },
  )
  .post(
    '/survey/:id/reminders/change',
    documented({
      id: 'previewReminderChange',
      tag,
      summary:
        'Shows what new reminders of a survey, or others whom it is for, would change, before they are set',
      description:
        'For owners, editors and monitors. Computes the next three occurrences of each person with the reminders as they are and with the new ones, null for none. With `for` the first of them may be one that is still open, and comes at once. The new reminders have exactly this effect if they are saved then. A large study is counted in slices of at most 500 members (150 with windows), which end where `page` is full: while there is `next`, ask again with it as `cursor`. All pages together list everyone whose occurrences change.',
      request: { reminders: { ...diary, recurrence: '0 8 * * 1,3,5' }, limit: 3 },
      answers: {
        200: json('The effect on this slice.', effect, {
          people: 40,
          unchanged: 0,
          moved: 40,
          added: 0,
          removed: 0,
          againToday: 12,
          page: [
            {
              user: examples.responder.identifier,
              before: ['2027-03-01T20:30:00.000Z', '2027-03-02T20:30:00.000Z', '2027-03-03T20:30:00.000Z'],
              after: ['2027-03-03T07:00:00.000Z', '2027-03-05T07:00:00.000Z', '2027-03-08T07:00:00.000Z'],
            },
          ],
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    body(changeBody),
    async (c) => {
      const context = contextOf(c);
      const { cursor: after, ...change } = c.req.valid('json');
      requireValid(context, change.reminders);
      await requireKnown(context, c.req.param('id'), change);
      const found = await previewChange(context, c.req.param('id'), { ...change, after });
      const answer: z.input<typeof effect> = {
        ...found,
        page: found.page.map(({ user, before, after }) => ({
          user,
          before: before.map(iso),
          after: after.map(iso),
        })),
      };
      return c.json(answer);
    },
  )
  .get(
    '/survey/:id/reminders/reach',
    documented({
      id: 'readReach',
      tag,
      summary: 'Counts the people that the reminders of a survey concern',
      description:
        'For owners, editors and monitors, to see whom a change of the reminders would affect before making it.',
      answers: {
        200: json('The counts.', reach, {
          members: 42,
          counted: 42,
          participants: 40,
          downloaded: 31,
          pending: 29,
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => c.json((await readReach(contextOf(c), c.req.param('id'))) satisfies z.input<typeof reach>),
  );
