import { z } from 'zod';
import { occurrenceIdentifier } from '../identifiers.ts';
import type { HistoryEntry } from '../model/reminders/history.ts';
import { pauseNote } from '../schedule/pauses.ts';
import { waitNote } from '../schedule/quiet-hours.ts';
import { slotOf } from '../schedule/slots.ts';
import { iso } from './fields.ts';
import { examples } from './openapi/examples.ts';
import { at, date, id, slot, zone } from './openapi/shapes.ts';

const delivery = z.strictObject({
  device: id,
  platform: z.string(),
  at,
  messageId: z.string().optional(),
  error: z.string().optional(),
  language: z.string().optional().meta({ description: 'Of the translation that it was sent in.' }),
});

const followUp = z
  .strictObject({
    kind: z.enum(['nudge', 'snooze']),
    dueAt: at,
    at: at.meta({ description: 'When it was decided.' }),
    state: z.enum(['retrying', 'sent', 'failed', 'skipped']),
    reason: z.string().optional().meta({ description: 'Why it was skipped or failed.' }),
    attempts: z.int().optional(),
    deliveries: z.array(delivery).optional(),
  })
  .meta({ id: 'FollowUp' });

/** A notification as the history shows it. */
export const notification = z
  .strictObject({
    identifier: id,
    user: id,
    survey: id,
    on: date,
    slot,
    dueAt: at,
    sentAt: at.nullable(),
    counter: z.int(),
    state: z.enum(['scheduled', 'sent', 'skipped', 'failed', 'invalidated']).meta({
      description:
        '`invalidated`: it was scheduled, and will not come any more. If its date becomes due again, it is `scheduled` again.',
    }),
    reason: z.string().optional().meta({
      description:
        'Why it was skipped, failed or invalidated; `survey-archived` is also that of an archived study.',
    }),
    note: z
      .string()
      .optional()
      .meta({ description: 'Only when a pause will skip it, or it waits for quiet hours to end.' }),
    timeZone: zone,
    deliveries: z.array(delivery),
    followUps: z
      .array(followUp)
      .optional()
      .meta({ description: 'Nudges and snoozes, in order; only where there are some.' }),
    nextAt: at.optional().meta({ description: 'When the next of them is due, while one is.' }),
    shownAt: at.optional(),
    openedAt: at.optional(),
    dismissedAt: at.optional(),
    answeredAt: at.optional().meta({
      description:
        'The first response of the user to the survey after it was due, and before the next one was due.',
    }),
  })
  .meta({ id: 'Notification' });
const { responder, survey, device } = examples;
/** The example of one. */
export const sent: z.input<typeof notification> = {
  identifier: occurrenceIdentifier(responder.identifier, survey.identifier, 1, '2027-03-01'),
  user: responder.identifier,
  survey: survey.identifier,
  on: '2027-03-01',
  dueAt: '2027-03-01T20:30:00.000Z',
  sentAt: '2027-03-01T20:30:01.250Z',
  counter: 0,
  state: 'sent',
  timeZone: 'Europe/Paris',
  deliveries: [
    {
      device: device.identifier,
      platform: 'android',
      at: '2027-03-01T20:30:01.250Z',
      messageId: '6014fe16-26c1-5a8e-b1d3-a2b5e1f0c7d4',
    },
  ],
};

/** Shapes it. */
export const toNotification = (row: HistoryEntry): z.input<typeof notification> => {
  const waits = row.attempts === 0 && row.nextAttemptAt > row.dueAt;
  const note =
    row.state === null
      ? (pauseNote(row.dueAt, row.pausedUntil) ?? (waits ? waitNote(row.nextAttemptAt) : undefined))
      : undefined;
  return {
    identifier: occurrenceIdentifier(row.user, row.survey, row.revision, row.key),
    user: row.user,
    survey: row.survey,
    ...slotOf(row.key),
    dueAt: iso(row.dueAt),
    sentAt: row.state === 'sent' && row.settledAt !== null ? iso(row.settledAt) : null,
    counter: row.counter,
    state: row.state ?? (row.revision === row.currentRevision ? 'scheduled' : 'invalidated'),
    ...(row.reason !== null && { reason: row.reason }),
    ...(note !== undefined && { note }),
    timeZone: row.timeZone,
    deliveries: row.deliveries ?? [],
    ...(row.followUps !== null && { followUps: row.followUps }),
    ...(row.nextFollowUpAt !== null && { nextAt: iso(row.nextFollowUpAt) }),
    ...(row.shownAt !== null && { shownAt: iso(row.shownAt) }),
    ...(row.openedAt !== null && { openedAt: iso(row.openedAt) }),
    ...(row.dismissedAt !== null && { dismissedAt: iso(row.dismissedAt) }),
    ...(row.answeredAt !== null && { answeredAt: iso(row.answeredAt) }),
  };
};
