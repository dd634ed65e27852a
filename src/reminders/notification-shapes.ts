import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, response, slot, zone } from '../http/openapi/shapes.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import { pauseNote } from '../schedule/pauses.ts';
import { waitNote } from '../schedule/quiet-hours.ts';
import { shownSlot, slotOf } from '../schedule/slots.ts';
import type { HistoryEntry } from './entries.ts';
import { comingOf, isSnoozeHeld } from './follow-ups.ts';

const delivery = z.strictObject({
  device: id,
  platform: z.string(),
  at,
  messageId: z.string().optional(),
  error: z.string().optional(),
  language: z.string().optional().meta({ description: 'The language of the translation that was sent.' }),
});

/** A push after the first push of an occurrence. */
export const followUpKind = z.enum(['nudge', 'snooze']);

const followUp = z
  .strictObject({
    kind: followUpKind,
    dueAt: at,
    at: at.meta({ description: 'When the push was sent, skipped or given up.' }),
    state: z.enum(['retrying', 'sent', 'failed', 'skipped']),
    reason: z.string().optional().meta({ description: 'Why the push was skipped or failed.' }),
    attempts: z.int().optional(),
    deliveries: z.array(delivery).optional(),
  })
  .meta({ id: 'FollowUp' });

/** A notification as the history shows it. */
export const notification = z
  .strictObject({
    identifier: id.meta({
      description:
        'Derived from user, survey, revision, date and slot, or the response, so that a notification has the same one whenever it is planned: not a UUIDv7, and not in order of time.',
    }),
    user: id,
    survey: id,
    on: date.meta({
      description:
        'The date where the user was when it was due; of reminders on the clock of the study the date there.',
    }),
    slot,
    response,
    dueAt: at,
    sentAt: at.nullable(),
    counter: z.int(),
    state: z.enum(['scheduled', 'sent', 'skipped', 'failed', 'invalidated']).meta({
      description:
        '`invalidated`: the reminder was scheduled, but will not come after a change. If its date becomes due again, it is `scheduled` again.',
    }),
    reason: z.string().optional().meta({
      description:
        'Why the reminder was skipped, failed or was invalidated. `left-study` also stands for an owner or editor who takes part no longer, `survey-archived` for an archived study, `not-in-group` for a survey that is for others by now, `reminded-before` for a date on which reminders were pushed before they changed, and `time-passed` for a date that a new zone or time moved before the user joined or the reminders were set.',
    }),
    note: z.string().optional().meta({
      description:
        'Only if a pause will skip the reminder, if it waits or waited for quiet hours to end, or if the push service did not accept it at once.',
    }),
    timeZone: zone.meta({ description: "The user's zone, when the reminder was due or was planned last." }),
    deliveries: z.array(delivery),
    followUps: z
      .array(followUp)
      .optional()
      .meta({ description: 'Nudges and snoozes, in order; omitted without any.' }),
    nextAt: at.optional().meta({ description: 'When the next nudge or snooze is due, if one is.' }),
    nextKind: followUpKind.optional().meta({ description: 'The kind of the next one.' }),
    shownAt: at.optional(),
    openedAt: at.optional(),
    dismissedAt: at.optional(),
    answeredAt: at.optional().meta({
      description:
        'When the user gave the first response that belongs to this reminder: `notification` of the response names it.',
    }),
    answeredLate: z.literal(true).optional().meta({
      description: 'Set if that was later than `answerWithin` of the reminders after this one was due.',
    }),
    answerReceivedAt: at.optional().meta({
      description: 'When the service received that response, if a phone that was offline sent it later.',
    }),
  })
  .meta({ id: 'Notification' });
const { responder, survey, device } = examples;
/** An example. */
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

/** Converts a notification to the API's shape. */
export const toNotification = (row: HistoryEntry): z.input<typeof notification> => {
  const note = noteOf(row);
  const { deliveries, followUps } = row;
  const coming = comingOf(row);
  return {
    identifier: row.id,
    user: row.user,
    survey: row.survey,
    ...shownSlot(slotOf(row.key)),
    dueAt: iso(row.dueAt),
    sentAt: row.state === 'sent' && row.settledAt !== null ? iso(row.settledAt) : null,
    counter: row.counter,
    state: row.state ?? (row.revision === row.currentRevision ? 'scheduled' : 'invalidated'),
    ...(row.reason !== null && { reason: row.reason }),
    ...(note && { note }),
    timeZone: row.timeZone,
    deliveries,
    ...(followUps.length > 0 && { followUps }),
    ...(coming && { nextAt: iso(coming.dueAt), nextKind: coming.kind }),
    ...(row.shownAt !== null && { shownAt: iso(row.shownAt) }),
    ...(row.openedAt !== null && { openedAt: iso(row.openedAt) }),
    ...(row.dismissedAt !== null && { dismissedAt: iso(row.dismissedAt) }),
    ...(row.answeredAt !== null && { answeredAt: iso(row.answeredAt) }),
    ...(row.answeredLate !== null && { answeredLate: true }),
    ...(row.answerReceivedAt !== null &&
      row.answerReceivedAt !== row.answeredAt && { answerReceivedAt: iso(row.answerReceivedAt) }),
  };
};

/** Why a reminder comes or came later than it was due, or will not come. */
function noteOf(row: HistoryEntry): string {
  const { state, dueAt, nextAttemptAt, attempts, nextFollowUpAt, retryAt } = row;
  const isLate = nextAttemptAt > dueAt;
  if (state === null)
    return (
      pauseNote(dueAt, row.pausedUntil) ??
      (isLate ? (attempts === 0 ? waitNote(nextAttemptAt) : retryNote(nextAttemptAt)) : '')
    );
  if (state !== 'sent') return '';
  const notes = [
    isLate && (attempts === 1 ? waitedNote(nextAttemptAt) : retriedNote(attempts)),
    nextFollowUpAt !== null && isSnoozeHeld(row) && waitNote(nextFollowUpAt),
    retryAt !== null && retryFirstNote(retryAt),
  ];
  return notes.filter(Boolean).join('. ');
}

const waitedNote = (until: number) => `Quiet hours: waited until ${iso(until)}`;
const retryNote = (at: number) => `Not yet accepted by the push service: next attempt at ${iso(at)}`;
const retryFirstNote = (at: number) =>
  `Not yet accepted by the push service for every phone: next attempt at ${iso(at)}`;
const retriedNote = (attempts: number) => `Accepted by the push service at attempt ${attempts}`;
