import { Hono } from 'hono';
import { z } from 'zod';
import { resolveUser } from '../http/auth/require-self.ts';
import { contextOf, type Env } from '../http/context.ts';
import { date, instant, iso, quietHours, timeZone, wallTime } from '../http/fields.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { at, date as dateShape, slot } from '../http/openapi/shapes.ts';
import { previewReminders } from '../http/reminders.ts';
import { body, count, query } from '../http/validation.ts';
import { listUpcoming } from '../model/reminders/upcoming.ts';
import { requireFit } from '../model/surveys.ts';
import { preview } from '../schedule/preview.ts';

const tag = 'Reminders';

const maxOccurrences = 400;
const expectedCount = `Expected a whole number from 1 to ${maxOccurrences}.`;
const previewBody = z
  .strictObject({
    reminders: previewReminders,
    timeZone,
    customRemindersTime: wallTime.nullable().optional(),
    quietHours: quietHours.nullable().optional(),
    startsOn: date.optional(),
    downloadedOn: date.optional(),
    from: instant.optional(),
    count: z
      .int({ error: expectedCount })
      .min(1, expectedCount)
      .max(maxOccurrences, expectedCount)
      .default(10),
  })
  .superRefine((value, ctx) => {
    const [needed, other] =
      value.reminders.type === 'rolling'
        ? (['startsOn', 'downloadedOn'] as const)
        : (['downloadedOn', 'startsOn'] as const);
    if (value[needed] === undefined)
      ctx.addIssue({
        code: 'custom',
        path: [needed],
        message: `Expected a date: ${value.reminders.type} reminders start from it.`,
      });
    if (value[other] !== undefined)
      ctx.addIssue({
        code: 'custom',
        path: [other],
        message: `Unexpected: ${value.reminders.type} reminders start from ${needed}.`,
      });
  });
const upcomingQuery = z.strictObject({
  user: z
    .string()
    .regex(/^(?:me|[0-9a-f]{32})$/, 'Expected the identifier of a user.')
    .default('me'),
  count: count(maxOccurrences, 10),
});

const occurrence = z.strictObject({
  on: dateShape,
  slot,
  counter: z.int(),
  dueAt: at,
  local: z.string().meta({ examples: ['2027-03-28T03:30:00+02:00'] }),
  note: z.string().optional().meta({
    description:
      'When a clock change moved the time, quiet hours would put it off, or a pause or a frozen study skip it.',
  }),
});
const occurrenceList = z
  .strictObject({
    occurrences: z.array(occurrence),
    draw: z.enum(['example', 'user']).optional().meta({
      description: "With windows only: whether the times are an example or this user's own.",
    }),
  })
  .meta({ id: 'Occurrences' });

const sundays: z.input<typeof occurrenceList> = {
  occurrences: [
    {
      on: '2027-03-21',
      counter: 0,
      dueAt: '2027-03-21T01:30:00.000Z',
      local: '2027-03-21T02:30:00+01:00',
    },
    {
      on: '2027-03-28',
      counter: 1,
      dueAt: '2027-03-28T01:30:00.000Z',
      local: '2027-03-28T03:30:00+02:00',
      note: 'Clocks go forward: 2027-03-28 02:30 does not exist in Europe/Paris, so it is 2027-03-28 03:30',
    },
  ],
};

export const reminders = new Hono<Env>()
  .post(
    '/reminders/preview',
    documented({
      id: 'previewReminders',
      tag,
      summary: 'Computes when reminders would come',
      description:
        '`rolling` reminders start from `startsOn`, `fixed` ones from `downloadedOn`: exactly one of them.',
      request: {
        reminders: { type: 'rolling', recurrence: '30 2 * * 0' },
        timeZone: 'Europe/Paris',
        startsOn: '2027-03-15',
        count: 2,
      },
      answers: { 200: json('In order of time.', occurrenceList, sundays) },
    }),
    body(previewBody),
    (c) => {
      const { startsOn, downloadedOn, from, customRemindersTime, quietHours, ...request } =
        c.req.valid('json');
      requireFit(contextOf(c), request.reminders);
      const list: z.input<typeof occurrenceList> = {
        occurrences: preview({
          ...request,
          ...(customRemindersTime && { customRemindersTime }),
          ...(quietHours && { quietHours }),
          ...(startsOn && { startsOn }),
          ...(downloadedOn && { downloadedOn }),
          ...(from !== undefined && { from }),
        }),
        ...(request.reminders.windows && { draw: 'example' }),
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
      description: 'Of the caller; owners and editors may ask for others.',
      answers: { 200: json('In order of time.', occurrenceList, sundays) },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(upcomingQuery),
    async (c) => {
      const context = contextOf(c);
      const { user, count: limit } = c.req.valid('query');
      const of = { survey: c.req.param('id'), user: resolveUser(user, context.actor) };
      const found = await listUpcoming(context, of, limit);
      const list: z.input<typeof occurrenceList> = {
        occurrences: found.map((occurrence) => ({ ...occurrence, dueAt: iso(occurrence.dueAt) })),
        ...(found.some(({ slot }) => slot !== undefined) && { draw: 'user' }),
      };
      return c.json(list);
    },
  );
