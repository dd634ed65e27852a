import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, id, uri } from '../../http/openapi/shapes.ts';

const tag = 'Surveys';

const reminders = z
  .strictObject({
    type: z.enum(['fixed', 'rolling']),
    recurrence: z.string(),
    ends: z.int().nullable(),
    delay: z.int().nullable(),
    unlessAnswered: z.boolean(),
    expiresAfter: z.int().meta({ description: 'Minutes.' }),
    notification: z.strictObject({ subject: z.string(), body: z.string() }),
  })
  .meta({ id: 'Reminders' });

const fields = {
  uri: uri('/survey'),
  identifier: id,
  investigation: uri('investigation'),
  name: z.string(),
  items: z.array(z.strictObject({ identifier: z.string(), label: z.string() })),
  reminders: reminders.nullable(),
  archivedAt: at.optional().meta({ description: 'Only of archived surveys.' }),
};
const survey = z.strictObject(fields).meta({ id: 'Survey' });
const downloaded = z.strictObject({ ...fields, downloadedAt: at }).meta({ id: 'DownloadedSurvey' });
const surveyList = z
  .strictObject({ investigation: uri('investigation'), surveys: z.array(survey) })
  .meta({ id: 'Surveys' });

const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your day?' },
};

export const create = documented({
  id: 'createSurvey',
  tag,
  summary: 'Creates a survey',
  request: { name: 'Diary', items: [{ identifier: 'q1', label: 'How did you sleep?' }], reminders: daily },
  answers: { 201: { description: 'The survey.', schema: survey } },
  problems: ['resource.not-found', 'action.forbidden', 'study.full'],
});

export const list = documented({
  id: 'listSurveys',
  tag,
  summary: 'Lists the surveys of a study',
  answers: { 200: { description: 'All of them.', schema: surveyList } },
  problems: ['resource.not-found'],
});

export const read = documented({
  id: 'readSurvey',
  tag,
  summary: 'Reads a survey',
  answers: { 200: { description: 'The survey.', schema: survey } },
  problems: ['resource.not-found'],
});

export const update = documented({
  id: 'updateSurvey',
  tag,
  summary: 'Changes a survey',
  description:
    'Other reminders start a new revision of them, and replace what is scheduled for the whole study.',
  request: { reminders: { ...daily, recurrence: '0 8 * * 1,3,5' } },
  answers: { 200: { description: 'The survey as it is now.', schema: survey } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const download = documented({
  id: 'downloadSurvey',
  tag,
  summary: "Tells that the caller's device downloaded the survey",
  description: 'The first download counts; it starts the series of `fixed` reminders.',
  answers: { 200: { description: 'The survey, and when it was first downloaded.', schema: downloaded } },
  problems: ['resource.not-found'],
});
