import * as z from 'zod';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, response, slot } from '../http/openapi/shapes.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import { followUpKind } from './notification-shapes.ts';

/** Upcoming occurrences. */

const occurrence = z.strictObject({
  on: date,
  slot,
  response,
  counter: z.int(),
  dueAt: at,
  local: z.string().meta({ description: "On the user's clock.", examples: ['2027-03-28T03:30:00+02:00'] }),
  nudges: z.array(at).optional().meta({
    description: 'When nudges follow if the user does not answer. Nudges within quiet hours are left out.',
  }),
  note: z.string().optional().meta({
    description:
      'Only if a clock change moved the time, quiet hours would delay the reminder, or a pause or a frozen study would skip it.',
  }),
});
/** The answer of a preview. */
export const occurrenceList = z
  .strictObject({
    occurrences: z.array(occurrence),
    draw: z.enum(['example', 'user']).optional().meta({
      description:
        "With windows or `pick` only: whether the times, or the weekdays, are an example or this user's own.",
    }),
  })
  .meta({ id: 'Occurrences' });

const pendingFollowUp = z
  .strictObject({
    notification: id,
    on: date,
    slot,
    response,
    kind: followUpKind,
    dueAt: at,
    note: z
      .string()
      .optional()
      .meta({ description: 'Only if the push will wait or be left out: until when, and why.' }),
  })
  .meta({ id: 'PendingFollowUp' });
/** The same for a user, with the next follow-up. */
export const upcoming = occurrenceList
  .extend({
    followUp: pendingFollowUp
      .optional()
      .meta({ description: 'The next nudge or snooze of the occurrence that was sent last.' }),
  })
  .meta({ id: 'Upcoming' });

const { responder, survey } = examples;
/** The follow-up of the Sunday before. */
export const followUp: z.input<typeof pendingFollowUp> = {
  notification: occurrenceIdentifier(responder.identifier, survey.identifier, 1, '2027-03-14'),
  on: '2027-03-14',
  kind: 'nudge',
  dueAt: '2027-03-14T02:30:00.000Z',
};
