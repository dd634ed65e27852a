import { Hono } from 'hono';
import type * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { at } from '../../http/openapi/shapes.ts';
import { downloadSurvey } from '../downloads.ts';
import { survey, surveyExample, toSurvey } from '../survey-shapes.ts';

const downloaded = survey.extend({ downloadedAt: at }).meta({ id: 'DownloadedSurvey' });

export const downloads = new Hono<Env>().post(
  '/survey/:id/download',
  documented({
    id: 'downloadSurvey',
    tag: 'Surveys',
    summary: "Records that the caller's device downloaded the survey",
    description: 'Only the first download counts; the series of `fixed` reminders starts from it.',
    answers: {
      200: json('The survey, and when it was first downloaded.', downloaded, {
        ...surveyExample,
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
