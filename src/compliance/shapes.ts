import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import * as shapes from '../http/openapi/shapes.ts';
import type { Property } from '../permissions/groups.ts';
import { indefinitely } from '../schedule/pauses.ts';
import { reasons } from '../schedule/verdicts.ts';
import type { Participant, ParticipantDays } from './compliance.ts';
import { dayCounts } from './participant-counts.ts';
import { attentionReasons, timeStates } from './reasons.ts';

const n = z.int();
const counts = {
  due: n.meta({ description: 'The sum of sent, failed and skipped.' }),
  sent: n,
  failed: n,
  skipped: z.record(z.string(), n).meta({ description: 'By reason.', examples: [{ 'no-device': 2 }] }),
  shown: n,
  opened: n,
  answered: n.meta({
    description:
      'Reminders that have their answer; or had it before they were due, so that they were skipped as `answered`.',
  }),
  answeredLate: n.meta({
    description: 'Answered reminders whose answer was given later than `answerWithin` after they were due.',
  }),
};
export const attention = z.enum(attentionReasons, {
  error: 'Expected unreachable, paused, silent, never-downloaded or date-missing.',
});
export const time = z.enum(timeStates, { error: 'Expected before, in or after.' });
/** The properties of a person, as the reader sees them. */
export const shownProperties = z
  .record(z.string(), z.string())
  .optional()
  .meta({
    description: 'The properties of the person by name, such as their site; nothing without any.',
    examples: [{ site: 'lyon' }],
  });

/** The columns of properties in a file. */
export const propertyColumns = (properties: readonly Property[]) =>
  properties.map(({ name }) => `property.${name}`);

const participant = z
  .strictObject({
    user: shapes.id,
    code: shapes.code,
    name: z.string(),
    invitedAs: shapes.invitedAs,
    properties: shownProperties,
    ...counts,
    lastAnsweredAt: shapes.at
      .nullable()
      .meta({ description: 'The last response to any survey of the study.' }),
    lastSeenAt: shapes.at.nullable().meta({
      description:
        "When the member's app or page was last in contact, to the hour. In a study with surveys that the reader does not see, the last answer that they do see.",
    }),
    reachable: z.boolean().meta({ description: 'Whether the member has a device that can be pushed to.' }),
    pausedUntil: shapes.at.nullable().optional().meta({
      description: "Only while the member's reminders of the study are paused; null: indefinitely.",
    }),
    time: time.optional().meta({
      description:
        'Whether the member is before, in or after their time in the study, by UTC; nothing without bounds.',
    }),
    attention: z.array(attention),
  })
  .meta({ id: 'Participant' });
const totals = z.strictObject(counts).meta({ id: 'ComplianceTotals' });
const head = { investigation: shapes.uri('investigation'), from: shapes.date, to: shapes.date };
export const listBody = z
  .strictObject({ ...head, totals, participants: z.array(participant), next: shapes.next })
  .meta({ id: 'Compliance' });
export const dailyBody = z
  .strictObject({ ...head, days: z.array(z.strictObject({ date: shapes.date, ...counts })) })
  .meta({ id: 'DailyCompliance' });

const ofDays = z.array(n);
const participantDays = z
  .strictObject({
    user: shapes.id,
    code: shapes.code,
    name: z.string(),
    invitedAs: shapes.invitedAs,
    properties: shownProperties,
    due: ofDays.meta({ description: 'Of each date; what was neither sent nor failed was skipped.' }),
    sent: ofDays,
    failed: ofDays,
    opened: ofDays,
    answered: ofDays,
    answeredLate: ofDays,
  })
  .meta({ id: 'ParticipantDays' });
export const participantDaysBody = z
  .strictObject({ ...head, participants: z.array(participantDays), next: shapes.next })
  .meta({ id: 'DailyComplianceOfParticipants' });

export const exampleCounts = {
  due: 28,
  sent: 25,
  failed: 1,
  skipped: { 'no-device': 2 },
  shown: 24,
  opened: 20,
  answered: 18,
  answeredLate: 3,
};
export const exampleHead = {
  investigation: `investigation/${examples.study.identifier}`,
  from: '2027-03-01',
  to: '2027-03-28',
};

export const exampleDays: z.input<typeof participantDaysBody> = {
  ...exampleHead,
  to: '2027-03-03',
  participants: [
    {
      user: examples.responder.identifier,
      name: examples.responder.name,
      due: [1, 1, 0],
      sent: [1, 0, 0],
      failed: [0, 0, 0],
      opened: [1, 0, 0],
      answered: [1, 0, 0],
      answeredLate: [0, 0, 0],
    },
  ],
};

/** `dates` are those of the period. */
export function toParticipantDays(
  { user, code, name, invitedAs, properties, days }: ParticipantDays,
  dates: readonly string[],
): z.input<typeof participantDays> {
  const byDate = new Map(days.map(([date, ...counts]) => [date, counts]));
  const listOf = (n: number) => dates.map((date) => byDate.get(date)?.[n] ?? 0);
  const lists = dayCounts.map((count, n) => [count, listOf(n)]);
  return {
    user,
    ...(code !== null && { code }),
    name,
    ...(invitedAs !== null && { invitedAs }),
    ...(properties && { properties }),
    ...(Object.fromEntries(lists) as Record<(typeof dayCounts)[number], number[]>),
  };
}

const isoOf = (at: number | null) => (at === null ? null : iso(at));

export const toParticipant = (row: Participant, now: number): z.input<typeof participant> => ({
  user: row.user,
  ...(row.code !== null && { code: row.code }),
  name: row.name,
  ...(row.invitedAs !== null && { invitedAs: row.invitedAs }),
  ...(row.properties && { properties: row.properties }),
  ...row.counts,
  lastAnsweredAt: isoOf(row.lastAnsweredAt),
  // The last request is kept to the hour, and an answer is one.
  lastSeenAt: isoOf(Math.max(row.lastSeenAt ?? 0, row.lastAnsweredAt ?? 0) || null),
  reachable: row.reachable,
  ...(row.pausedUntil > now && {
    pausedUntil: row.pausedUntil === indefinitely ? null : iso(row.pausedUntil),
  }),
  ...(row.time !== null && { time: row.time }),
  attention: row.attention,
});

const csvColumns = [
  'user',
  'name',
  'due',
  'sent',
  'failed',
  'shown',
  'opened',
  'answered',
  'lastAnsweredAt',
  'lastSeenAt',
  'reachable',
  'code',
  'answeredLate',
  'time',
] as const satisfies (keyof z.input<typeof participant>)[];

/** A column for each reason to skip. `skipped_unknown`: reasons of a newer version, so that the sums hold. */
const skippedColumns = [...reasons, 'unknown'].map((reason) => ({ reason, column: `skipped_${reason}` }));

/** With a column for each of these properties. */
export const csvOf = (now: number, properties: readonly Property[]) => ({
  header: [
    ...csvColumns,
    'pausedUntil',
    'attention',
    ...skippedColumns.map(({ column }) => column),
    ...propertyColumns(properties),
  ],
  row: (item: Participant) => {
    const row = toParticipant(item, now);
    return [
      ...csvColumns.map((column) => row[column]),
      row.pausedUntil === null ? 'indefinitely' : row.pausedUntil,
      row.attention.join(' '),
      ...skippedColumns.map(({ reason }) => row.skipped[reason] ?? 0),
      ...properties.map(({ name }) => row.properties?.[name]),
    ];
  },
});
