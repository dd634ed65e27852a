import { Hono } from 'hono';
import * as z from 'zod';
import { firstSlice } from '../../breathe.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso, memberCode } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, next } from '../../http/openapi/shapes.ts';
import { body, identifier } from '../../http/validation.ts';
import { changeDates, type NamedChange, previewDates } from '../member-dates.ts';
import { courseChange } from '../member-shapes.ts';

const expectedMembers = 'Expected 1 to 1000 members.';
const change = z
  .strictObject({ user: identifier.optional(), code: memberCode.optional(), ...courseChange })
  .refine(({ user, code }) => (user === undefined) !== (code === undefined), {
    error: 'Expected either a user (an identifier) or a code.',
  })
  .refine((one) => [one.dates, one.participation, one.properties].some((value) => value !== undefined), {
    path: ['dates'],
    error: 'Expected dates, a participation or properties.',
  })
  .transform((given) => given as NamedChange);
const datesBody = z
  .strictObject({
    members: z
      .array(change, { error: expectedMembers })
      .min(1, expectedMembers)
      .max(1000, expectedMembers)
      .meta({ description: 'Each person once.' }),
    dryRun: z
      .boolean({ error: 'Expected true or false.' })
      .default(false)
      .meta({ description: 'Changes nothing, and answers what would move.' }),
    cursor: identifier.optional().meta({ description: 'Of a dry run: the `next` of the answer before.' }),
  })
  .refine(({ dryRun, cursor }) => dryRun || cursor === undefined, {
    path: ['cursor'],
    error: 'Unexpected: only a dry run has pages.',
  });

const times = z.array(at).meta({
  description:
    'When the next three occurrences are due; before them, one that is due already and still open, which is pushed at once.',
});
const datesChange = z
  .strictObject({
    changed: z
      .int()
      .meta({ description: 'People with other dates, another time or other properties than before.' }),
    activity: id.optional().meta({ description: 'The entry of the log; nothing where nothing was changed.' }),
    page: z
      .array(z.strictObject({ user: id, survey: id, before: times, after: times }))
      .optional()
      .meta({
        description: 'Of a dry run: the reminders that come at other times, and those that come or go.',
      }),
    next,
  })
  .meta({ id: 'DatesChange' });

const { responder, survey } = examples;

export const memberDates = new Hono<Env>().post(
  '/investigation/:id/members/dates',
  documented({
    id: 'changeDates',
    tag: 'Studies',
    summary: 'Changes the dates, times and properties of many members',
    description:
      'For owners and editors: up to 1,000 people, by identifier or by code, all or nothing, in one entry of the log. A date that moves plans the reminders that count from it anew: nobody is reminded twice on a date, an occurrence that is still open comes at once, and earlier ones do not exist. Properties change in the same way, whichever surveys are for people of them. With `dryRun` it answers the reminders that would move, come or go, in slices: while there is `next`, ask again with it as `cursor`. What is then saved does exactly that, unless something changed between.',
    request: { members: [{ code: 'P-017', dates: { surgery: '2027-03-08' } }], dryRun: true },
    answers: {
      200: json('The effect.', datesChange, {
        changed: 1,
        page: [
          {
            user: responder.identifier,
            survey: survey.identifier,
            before: [],
            after: ['2027-03-29T07:00:00.000Z'],
          },
        ],
      }),
    },
    problems: ['resource.not-found', 'action.forbidden', 'items.not-found', 'study.frozen', 'limit.reached'],
  }),
  body(datesBody),
  async (c) => {
    const context = contextOf(c);
    const { members, dryRun, cursor } = c.req.valid('json');
    const id = c.req.param('id');
    await firstSlice();
    // One type for both answers, which clients see.
    let effect: z.input<typeof datesChange>;
    if (!dryRun) {
      effect = await changeDates(context, id, members);
      return c.json(effect);
    }
    const { changed, page, next } = await previewDates(context, id, members, cursor);
    effect = {
      changed,
      page: page.map(({ before, after, ...pair }) => ({
        ...pair,
        before: before.map(iso),
        after: after.map(iso),
      })),
      ...(next && { next }),
    };
    return c.json(effect);
  },
);
