import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isKnown, notModified } from '../../http/etag.ts';
import { itemStatus, propertyRule } from '../../http/fields.ts';
import { listQuery, mark } from '../../http/lists/query.ts';
import { listResponse } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { files, next, uri } from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, name, query } from '../../http/validation.ts';
import { reminders } from '../../reminders/reminder-shapes.ts';
import { surveyItems, surveyItemsExample } from '../answer-shapes.ts';
import { type ListedSurvey, listSurveys } from '../survey-list.ts';
import { survey, surveyExample, toSurvey } from '../survey-shapes.ts';
import { createSurvey, readSurvey, updateSurvey } from '../surveys.ts';

const tag = 'Surveys';

const takers = propertyRule.nullable().meta({
  description:
    'Those who take the survey: who has one of the values of each property. Others have neither the survey nor its reminders. Null: everybody. A survey for people of a blinded property is blinded, too: only owners see it, it sets no dates, and triggers none but blinded surveys.',
});
const createBody = z.strictObject({
  name,
  items: surveyItems,
  reminders: reminders.nullable().default(null),
  for: takers.optional(),
  identifier: chosenIdentifier.optional(),
});
const updateBody = z
  .strictObject({
    name,
    items: surveyItems,
    reminders: reminders.nullable(),
    for: takers,
    again: z.boolean({ error: 'Expected true or false.' }).meta({
      description:
        'Only beside `reminders`: people who got a push of the survey today are reminded again, if the new reminders say so. Without `again` a change never reminds anybody twice on one date.',
    }),
    status: itemStatus,
  })
  .partial()
  .refine(({ again, reminders }) => again === undefined || reminders !== undefined, {
    error: 'Expected reminders beside again.',
    path: ['again'],
  });

const surveyList = z
  .strictObject({ investigation: uri('investigation'), surveys: z.array(survey), next })
  .meta({ id: 'Surveys' });

const daily: z.input<typeof reminders> = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your day?' },
  translations: { fr: { subject: 'Journal', body: 'Comment était votre journée ?' } },
};

export const surveys = new Hono<Env>()
  .post(
    '/investigation/:id/survey',
    documented({
      id: 'createSurvey',
      tag,
      summary: 'Creates a survey',
      request: { name: 'Diary', items: surveyItemsExample, reminders: daily },
      description: 'With an `identifier` it may be repeated safely.',
      answers: {
        201: json('The survey.', survey, surveyExample, ['ETag']),
        200: json('The same survey was created before.', survey, surveyExample, ['ETag']),
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
          ...json(
            'All surveys.',
            surveyList,
            { investigation: surveyExample.investigation, surveys: [surveyExample] },
            ['Link', 'Vary'],
          ),
          also: files('identifier,name,archivedAt,items,reminders,for\r\n', surveyExample),
        },
      },
      problems: ['resource.not-found'],
    }),
    query(z.strictObject({ limit: listQuery.limit, cursor: listQuery.cursor, mark })),
    async (c) => {
      const study = c.req.param('id');
      const context = contextOf(c);
      return listResponse(c, c.req.valid('query'), {
        read: (after, limit) => listSurveys(context, study, { after, limit }),
        key: (row): [number, string] => [row.createdAt, row.id],
        head: () => ({ investigation: `investigation/${study}` }),
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
      answers: { 200: json('The survey.', survey, surveyExample, ['ETag']) },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const survey = await readSurvey(contextOf(c), c.req.param('id'));
      c.set('study', survey.investigationId);
      const headers = { etag: etag(survey.revisionId) };
      return isKnown(c, survey.revisionId) ? notModified(c, headers) : c.json(toSurvey(survey), 200, headers);
    },
  )
  .patch(
    '/survey/:id',
    documented({
      id: 'updateSurvey',
      tag,
      summary: 'Changes a survey',
      description:
        'Changed reminders start a new revision of them, which replaces what is scheduled for the whole study, and reminds nobody twice on one date, unless `again` says so. `POST /survey/:id/reminders/change` shows the effect before. An archived survey cannot be changed, unless the same request brings it back.',
      ifMatch: true,
      request: { reminders: { ...daily, recurrence: '0 8 * * 1,3,5' } },
      answers: {
        200: json(
          'The survey as it is now.',
          survey,
          {
            ...surveyExample,
            reminders: surveyExample.reminders && { ...surveyExample.reminders, recurrence: '0 8 * * 1,3,5' },
          },
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
  );

const csvColumns = ['identifier', 'name', 'archivedAt', 'items', 'reminders', 'for'] as const;

/** The cells show no more than the JSON. */
function toCells(row: ListedSurvey) {
  const { identifier, name, archivedAt, items, reminders, for: group } = toSurvey(row);
  const jsonOf = (value: object | null | undefined) => value && JSON.stringify(value);
  return [identifier, name, archivedAt, jsonOf(items), jsonOf(reminders), jsonOf(group)];
}
