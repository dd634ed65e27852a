import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import * as shapes from '../http/openapi/shapes.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import type { answerColumns } from '../items/answer-column-shapes.ts';
import type { Labels } from '../items/meanings.ts';
import type { Property } from '../permissions/groups.ts';
import { shownSlot, slotOf } from '../schedule/slots.ts';
import { answeredBefore } from './counts.ts';
import type { Occurrence } from './occurrences.ts';
import { propertyColumns, shownProperties } from './shapes.ts';

const instant = shapes.at.nullable();

/** A settled occurrence, as the list shows it. */
const occurrence = z
  .strictObject({
    identifier: shapes.id.meta({ description: 'Of the notification.' }),
    user: shapes.id,
    code: z
      .string()
      .nullable()
      .meta({ description: 'The code that the study gave this person; null without one.' }),
    properties: shownProperties,
    survey: shapes.id,
    on: shapes.date.meta({
      description:
        'The date where the user was when it was due; of reminders on the clock of the study the date there.',
    }),
    slot: z
      .int()
      .nullable()
      .meta({ description: 'With windows the position within the date, from 0; otherwise null.' }),
    counter: z.int(),
    revision: z.int().meta({ description: "Of the survey's reminders." }),
    timeZone: shapes.zone.meta({ description: "The user's zone, when it was due." }),
    dueAt: shapes.at,
    sentAt: instant.meta({ description: 'Null if it was skipped or failed.' }),
    shownAt: instant,
    openedAt: instant,
    answeredAt: instant.meta({
      description:
        'When the user gave the first response that belongs to it, also if that was deleted or set aside since: as compliance counts it.',
    }),
    late: z.boolean().nullable().meta({
      description:
        'Whether that was later than `answerWithin` after it was due; null without an answer. A reminder that was skipped as `answered` is not late.',
    }),
    state: z.enum(['sent', 'skipped', 'failed']),
    reason: z.string().nullable().meta({ description: 'Why it was skipped, or failed.' }),
    nudges: z.int().meta({ description: 'The number of nudges that were sent.' }),
    response: shapes.id.nullable().meta({
      description:
        'The first response that belongs to it, by the time at which it was given, and is not deleted; null without one.',
    }),
    items: shapes.answers
      .optional()
      .meta({ description: 'With `survey`: the answers of `response`; empty without one.' }),
    labels: shapes.labels,
  })
  .meta({ id: 'SettledOccurrence' });

export const occurrencesBody = z
  .strictObject({
    investigation: shapes.uri('investigation'),
    occurrences: z.array(occurrence),
    next: shapes.next,
  })
  .meta({ id: 'SettledOccurrences' });

type Shown = z.input<typeof occurrence>;

const { responder, response, study, survey } = examples;

export const exampleOccurrences: z.input<typeof occurrencesBody> = {
  investigation: `investigation/${study.identifier}`,
  occurrences: [
    {
      identifier: occurrenceIdentifier(responder.identifier, survey.identifier, 1, '2027-03-01'),
      user: responder.identifier,
      code: 'P-017',
      survey: survey.identifier,
      on: '2027-03-01',
      slot: null,
      counter: 0,
      revision: 1,
      timeZone: 'Europe/Paris',
      dueAt: '2027-03-01T20:30:00.000Z',
      sentAt: '2027-03-01T20:30:01.250Z',
      shownAt: '2027-03-01T20:30:02.000Z',
      openedAt: '2027-03-02T07:01:00.000Z',
      answeredAt: '2027-03-02T07:02:18.000Z',
      late: false,
      state: 'sent',
      reason: null,
      nudges: 1,
      response: response.identifier,
      items: { q1: 'well', q2: '' },
    },
  ],
};

type Labelled = Occurrence & { labels?: Labels };

const instantOf = (at: number | null) => (at === null ? null : iso(at));

/** Converts an occurrence to the API's shape; `withItems` in a list of one survey. */
export function toOccurrence(row: Labelled, withItems: boolean): Shown {
  const { on, slot = null } = shownSlot(slotOf(row.key));
  const wasAnsweredBefore = `${row.state}:${row.reason}` === answeredBefore;
  const isAnswered = row.answeredAt !== null || wasAnsweredBefore;
  return {
    identifier: row.id,
    user: row.user,
    code: row.code,
    ...(row.properties && { properties: row.properties }),
    survey: row.survey,
    on,
    slot,
    counter: row.counter,
    revision: row.revision,
    timeZone: row.timeZone,
    dueAt: iso(row.dueAt),
    sentAt: row.state === 'sent' ? instantOf(row.settledAt) : null,
    shownAt: instantOf(row.shownAt),
    openedAt: instantOf(row.openedAt),
    answeredAt: instantOf(row.answeredAt),
    late: isAnswered ? row.isLate === 1 && !wasAnsweredBefore : null,
    state: row.state,
    reason: row.reason,
    nudges: row.nudges,
    response: row.response,
    ...(withItems && { items: row.items ?? {} }),
    ...(row.labels && { labels: row.labels }),
  };
}

export const csvColumns = [
  'identifier',
  'user',
  'code',
  'survey',
  'on',
  'slot',
  'counter',
  'revision',
  'timeZone',
  'dueAt',
  'sentAt',
  'shownAt',
  'openedAt',
  'answeredAt',
  'late',
  'state',
  'reason',
  'nudges',
  'response',
] as const satisfies (keyof Shown)[];

/** With a column for each of these properties, and the columns of a survey's answers, in a list of one survey. */
export const csvOf = (
  properties: readonly Property[],
  answers: ReturnType<typeof answerColumns> | undefined,
) => ({
  header: [...csvColumns, ...propertyColumns(properties), ...(answers?.header ?? [])],
  row: (item: Labelled) => {
    const row = toOccurrence(item, false);
    return [
      ...csvColumns.map((column) => row[column]),
      ...properties.map(({ name }) => row.properties?.[name]),
      ...(answers?.cells(item.items ?? {}, item.labels) ?? []),
    ];
  },
});
