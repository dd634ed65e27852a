import { Hono } from 'hono';
import * as z from 'zod';
import { requireSelf } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, date, id, more, response, slot, uri } from '../../http/openapi/shapes.ts';
import { count, identifier, query } from '../../http/validation.ts';
import { occurrenceIdentifier } from '../../identifiers.ts';
import { occurrenceKey, shownSlot } from '../../schedule/slots.ts';
import { type AgendaEntry, readAgenda } from '../agenda.ts';

const agendaQuery = z.strictObject({
  count: count(64, 32),
  device: identifier
    .optional()
    .meta({ description: 'A device of the caller: texts are in its language if they are translated.' }),
});

const entry = z.strictObject({
  notification: id.meta({ description: "The occurrence's identifier: the collapse id of its push." }),
  survey: id,
  investigation: id,
  on: date,
  slot,
  response,
  dueAt: at,
  expiresAt: at.meta({ description: 'From this instant on the phone should not show the reminder.' }),
  subject: z.string(),
  body: z.string(),
  language: z.string().optional().meta({ description: 'The language of the translation.' }),
});
const agendaShape = z
  .strictObject({ user: uri('/user'), occurrences: z.array(entry), more })
  .meta({ id: 'Agenda' });

const { responder, study, survey } = examples;
const evening: z.input<typeof entry> = {
  notification: occurrenceIdentifier(responder.identifier, survey.identifier, 1, '2027-03-02'),
  survey: survey.identifier,
  investigation: study.identifier,
  on: '2027-03-02',
  dueAt: '2027-03-02T20:30:00.000Z',
  expiresAt: '2027-03-03T02:30:00.000Z',
  subject: 'Journal',
  body: 'Comment était votre journée ?',
  language: 'fr',
};

export const agenda = new Hono<Env>().get(
  '/user/:id/agenda',
  documented({
    id: 'readAgenda',
    tag: 'Reminders',
    summary: "Lists upcoming reminders of all the caller's surveys, for a phone to schedule by itself",
    description:
      'Reminders that would be skipped as things stand are left out. A phone that shows each `notification` only once shows no reminder twice, whether the push arrives or not. Covers 400 days.',
    answers: {
      200: json('In order of time.', agendaShape, {
        user: `/user/${responder.identifier}`,
        occurrences: [evening],
      }),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(agendaQuery),
  async (c) => {
    const context = contextOf(c);
    const user = await requireSelf(context, c.req.param('id'));
    const { entries, more: isCut } = await readAgenda(context, user, c.req.valid('query'));
    const answer: z.input<typeof agendaShape> = {
      user: `/user/${user}`,
      occurrences: entries.map(toEntry),
      ...(isCut && { more: true as const }),
    };
    return c.json(answer);
  },
);

const toEntry = ({
  state,
  dueAt,
  expiresAt,
  text,
  language,
  ...occurrence
}: AgendaEntry): z.input<typeof entry> => ({
  notification: occurrenceIdentifier(state.user, state.survey, state.revision, occurrenceKey(occurrence)),
  survey: state.survey,
  investigation: state.investigation,
  ...shownSlot(occurrence),
  dueAt: iso(dueAt),
  expiresAt: iso(expiresAt),
  ...text,
  ...(language !== undefined && { language }),
});
