import { Hono } from 'hono';
import { z } from 'zod';
import { contextOf, type Env } from '../http/context.ts';
import { statusOf } from '../http/created.ts';
import { etag, ifMatch, isKnown } from '../http/etag.ts';
import { iso, itemStatus } from '../http/fields.ts';
import { listQuery } from '../http/lists/query.ts';
import { listResponse } from '../http/lists/response.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, csv, id, next, uri } from '../http/openapi/shapes.ts';
import { reminders } from '../http/reminders.ts';
import { body, chosenIdentifier, name, query, text } from '../http/validation.ts';
import { downloadSurvey } from '../model/downloads.ts';
import { type ListedSurvey, listSurveys } from '../model/survey-list.ts';
import { createSurvey, readSurvey, type Survey, updateSurvey } from '../model/surveys.ts';

const tag = 'Surveys';

export const itemIdentifier = z
  .string({ error: 'Expected the identifier of an item.' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, 'Expected 1 to 100 letters, digits or _ . : -');

const items = z
  .array(z.strictObject({ identifier: itemIdentifier, label: text(0, 2000) }), {
    error: 'Expected a list of items.',
  })
  .max(1000, 'Expected at most 1000 items.')
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    for (const [n, { identifier }] of list.entries()) {
      if (seen.has(identifier))
        ctx.addIssue({
          code: 'custom',
          path: [n, 'identifier'],
          message: 'Expected each item identifier once.',
        });
      seen.add(identifier);
    }
  });
const createBody = z.strictObject({
  name,
  items,
  reminders: reminders.nullable().default(null),
  identifier: chosenIdentifier.optional(),
});
const updateBody = z
  .strictObject({ name, items, reminders: reminders.nullable(), status: itemStatus })
  .partial();

const storedText = z.strictObject({ subject: z.string(), body: z.string() });
const storedReminders = z
  .strictObject({
    type: z.enum(['fixed', 'rolling']),
    recurrence: z.string(),
    ends: z.int().nullable(),
    delay: z.int().nullable(),
    unlessAnswered: z.boolean(),
    expiresAfter: z.int().meta({ description: 'Minutes.' }),
    windows: z.array(z.strictObject({ from: z.string(), to: z.string(), count: z.int() })).optional(),
    minGap: z.int().optional().meta({ description: 'Minutes.' }),
    notification: storedText,
    translations: z.record(z.string(), storedText).optional(),
    followUps: z
      .strictObject({ every: z.int(), max: z.int(), stop: z.enum(['answered', 'opened']) })
      .nullable()
      .optional()
      .meta({ description: 'Nudges, `every` so many minutes.' }),
  })
  .meta({ id: 'Reminders' });
const fields = {
  uri: uri('/survey'),
  identifier: id,
  investigation: uri('investigation'),
  name: z.string(),
  items: z.array(z.strictObject({ identifier: z.string(), label: z.string() })),
  reminders: storedReminders.nullable(),
  archivedAt: at.optional().meta({ description: 'Only of archived surveys.' }),
};
const survey = z.strictObject(fields).meta({ id: 'Survey' });
const downloaded = z.strictObject({ ...fields, downloadedAt: at }).meta({ id: 'DownloadedSurvey' });
const surveyList = z
  .strictObject({ investigation: uri('investigation'), surveys: z.array(survey), next })
  .meta({ id: 'Surveys' });

const questions = [...examples.survey.items];
const daily: z.input<typeof reminders> = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your day?' },
  translations: { fr: { subject: 'Journal', body: 'Comment était votre journée ?' } },
};
const diary: z.input<typeof survey> = {
  uri: `/survey/${examples.survey.identifier}`,
  identifier: examples.survey.identifier,
  investigation: `investigation/${examples.study.identifier}`,
  name: 'Diary',
  items: questions,
  reminders: {
    type: 'rolling',
    recurrence: '30 21 * * *',
    ends: null,
    delay: null,
    unlessAnswered: false,
    expiresAfter: 360,
    notification: { subject: 'Diary', body: 'How was your day?' },
    translations: { fr: { subject: 'Journal', body: 'Comment était votre journée ?' } },
  },
};

export const surveys = new Hono<Env>()
  .post(
    '/investigation/:id/survey',
    documented({
      id: 'createSurvey',
      tag,
      summary: 'Creates a survey',
      request: { name: 'Diary', items: questions, reminders: daily },
      description: 'With an `identifier` it may be repeated safely.',
      answers: {
        201: json('The survey.', survey, diary, ['ETag']),
        200: json('The same survey was created before.', survey, diary, ['ETag']),
      },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'identifier.taken',
        'study.archived',
        'limit.reached',
        'study.frozen',
      ],
    }),
    body(createBody),
    async (c) => {
      const { survey, created } = await createSurvey(contextOf(c), c.req.param('id'), c.req.valid('json'));
      const status = statusOf(c, { created, location: `/survey/${survey.id}` });
      return c.json(toSurvey(survey), status, { etag: etag(survey.revisionId) });
    },
  )
  .get(
    '/investigation/:id/surveys',
    documented({
      id: 'listSurveys',
      tag,
      summary: 'Lists the surveys of a study',
      description:
        'In order of creation; everything at once, streamed, or in pages of at most about a million characters.',
      answers: {
        200: {
          ...json('All of them.', surveyList, { investigation: diary.investigation, surveys: [diary] }, [
            'Link',
            'Vary',
          ]),
          also: csv('identifier,name,archivedAt,items,reminders\r\n'),
        },
      },
      problems: ['resource.not-found'],
    }),
    query(z.strictObject({ limit: listQuery.limit, cursor: listQuery.cursor })),
    async (c) => {
      const study = c.req.param('id');
      const context = contextOf(c);
      return listResponse(c, c.req.valid('query'), {
        read: (after, limit) => listSurveys(context, study, { after, limit }),
        key: (row) => [row.createdAt, row.id],
        head: { investigation: `investigation/${study}` },
        name: 'surveys',
        json: toSurvey,
        csv: () => ({ header: [...csvColumns], row: toCells }),
      });
    },
  )
  .get(
    '/survey/:id',
    documented({
      id: 'readSurvey',
      tag,
      summary: 'Reads a survey',
      answers: { 200: json('The survey.', survey, diary, ['ETag']) },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const survey = await readSurvey(contextOf(c), c.req.param('id'));
      const headers = { etag: etag(survey.revisionId) };
      return isKnown(c, survey.revisionId)
        ? c.body(null, 304, headers)
        : c.json(toSurvey(survey), 200, headers);
    },
  )
  .patch(
    '/survey/:id',
    documented({
      id: 'updateSurvey',
      tag,
      summary: 'Changes a survey',
      description:
        'Changed reminders start a new revision of them, which replaces what is scheduled for the whole study. An archived survey cannot be changed, unless the same request brings it back.',
      ifMatch: true,
      request: { reminders: { ...daily, recurrence: '0 8 * * 1,3,5' } },
      answers: {
        200: json(
          'The survey as it is now.',
          survey,
          { ...diary, reminders: diary.reminders && { ...diary.reminders, recurrence: '0 8 * * 1,3,5' } },
          ['ETag'],
        ),
      },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'revision.stale',
        'item.archived',
        'limit.reached',
        'study.frozen',
      ],
    }),
    body(updateBody),
    async (c) => {
      const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
      const updated = await updateSurvey(contextOf(c), c.req.param('id'), change);
      return c.json(toSurvey(updated), 200, { etag: etag(updated.revisionId) });
    },
  )
  .post(
    '/survey/:id/download',
    documented({
      id: 'downloadSurvey',
      tag,
      summary: "Records that the caller's device downloaded the survey",
      description: 'The first download counts; it starts the series of `fixed` reminders.',
      answers: {
        200: json('The survey, and when it was first downloaded.', downloaded, {
          ...diary,
          downloadedAt: '2027-03-01T08:05:00.000Z',
        }),
      },
      problems: ['resource.not-found', 'item.archived', 'study.archived'],
    }),
    async (c) => {
      const { survey, downloadedAt } = await downloadSurvey(contextOf(c), c.req.param('id'));
      const answer: z.input<typeof downloaded> = { ...toSurvey(survey), downloadedAt: iso(downloadedAt) };
      return c.json(answer);
    },
  );

type Row = Pick<Survey, 'id' | 'investigationId' | 'name' | 'items' | 'reminders' | 'archivedAt'>;

const toSurvey = (row: Row): z.input<typeof survey> => ({
  uri: `/survey/${row.id}`,
  identifier: row.id,
  investigation: `investigation/${row.investigationId}`,
  name: row.name,
  items: row.items,
  reminders: row.reminders,
  ...(row.archivedAt !== null && { archivedAt: iso(row.archivedAt) }),
});

const csvColumns = ['identifier', 'name', 'archivedAt', 'items', 'reminders'] as const;

const toCells = (row: ListedSurvey) => [
  row.id,
  row.name,
  row.archivedAt === null ? null : iso(row.archivedAt),
  JSON.stringify(row.items),
  row.reminders && JSON.stringify(row.reminders),
];
