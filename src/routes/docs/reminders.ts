import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, date } from '../../http/openapi/shapes.ts';

const tag = 'Reminders';

const occurrences = z
  .strictObject({
    occurrences: z.array(
      z.strictObject({
        on: date,
        counter: z.int(),
        dueAt: at,
        local: z.string().meta({ examples: ['2027-03-28T03:30:00+02:00'] }),
        note: z.string().optional().meta({ description: 'Says so when clocks moved the time.' }),
      }),
    ),
  })
  .meta({ id: 'Occurrences' });

export const preview = documented({
  id: 'previewReminders',
  tag,
  summary: 'Computes what reminders would bring',
  description:
    '`rolling` reminders start from `startsOn`, `fixed` ones from `downloadedOn`: exactly one of them.',
  request: {
    reminders: { type: 'rolling', recurrence: '30 2 * * 0' },
    timeZone: 'Europe/Paris',
    startsOn: '2027-03-01',
    count: 5,
  },
  answers: { 200: { description: 'In order of time.', schema: occurrences } },
});

export const upcoming = documented({
  id: 'listUpcoming',
  tag,
  summary: 'Lists the next reminders of a user for a survey',
  description: 'Of the caller; owners and editors may ask for others.',
  answers: { 200: { description: 'In order of time.', schema: occurrences } },
  problems: ['resource.not-found', 'action.forbidden'],
});
