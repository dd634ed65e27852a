import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { iso, itemStatus } from '../http/fields.ts';
import { reminders } from '../http/reminders.ts';
import { body, name, text } from '../http/validation.ts';
import { startReplans } from '../jobs/outbox.ts';
import {
  createSurvey,
  downloadSurvey,
  listSurveys,
  readSurvey,
  type Survey,
  updateSurvey,
} from '../model/surveys.ts';
import * as docs from './docs/surveys.ts';

export const itemIdentifier = z
  .string({ error: 'Expected the identifier of an item.' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, 'Expected 1 to 100 letters, digits or _ . : -');

const items = z
  .array(z.strictObject({ identifier: itemIdentifier, label: text(0, 2000) }), {
    error: 'Expected a list of items.',
  })
  .max(1000, 'Expected at most 1000 items.')
  .refine(
    (list) => new Set(list.map((item) => item.identifier)).size === list.length,
    'Expected each item identifier once.',
  );
const createBody = z.strictObject({ name, items, reminders: reminders.nullable().default(null) });
const updateBody = z
  .strictObject({ name, items, reminders: reminders.nullable(), status: itemStatus })
  .partial();

export const surveys = new Hono<Env>()
  .post('/investigation/:id/survey', docs.create, body(createBody), async (c) => {
    const { db, now } = c.get('services');
    const { survey, job } = await createSurvey(
      db,
      { actor: c.get('actor'), investigation: c.req.param('id'), most: c.get('limits').surveys },
      c.req.valid('json'),
      now(),
    );
    if (job) await startReplans(c.get('services'), [job]);
    return c.json(toSurvey(survey), 201);
  })
  .get('/investigation/:id/surveys', docs.list, async (c) => {
    const study = c.req.param('id');
    const rows = await listSurveys(c.get('services').db, c.get('actor'), study);
    return c.json({ investigation: `investigation/${study}`, surveys: rows.map(toSurvey) });
  })
  .get('/survey/:id', docs.read, async (c) => {
    return c.json(toSurvey(await readSurvey(c.get('services').db, c.get('actor'), c.req.param('id'))));
  })
  .patch('/survey/:id', docs.update, body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const { survey, job } = await updateSurvey(
      db,
      c.get('actor'),
      c.req.param('id'),
      c.req.valid('json'),
      now(),
    );
    if (job) await startReplans(c.get('services'), [job]);
    return c.json(toSurvey(survey));
  })
  .post('/survey/:id/download', docs.download, async (c) => {
    const { db, now } = c.get('services');
    const { survey, downloadedAt, job } = await downloadSurvey(db, c.get('actor'), c.req.param('id'), now());
    if (job) await startReplans(c.get('services'), [job]);
    return c.json({ ...toSurvey(survey), downloadedAt: iso(downloadedAt) });
  });

type Shown = Pick<Survey, 'id' | 'investigationId' | 'name' | 'items' | 'reminders' | 'archivedAt'>;

const toSurvey = (survey: Shown) => ({
  uri: `/survey/${survey.id}`,
  identifier: survey.id,
  investigation: `investigation/${survey.investigationId}`,
  name: survey.name,
  items: survey.items,
  reminders: survey.reminders,
  ...(survey.archivedAt !== null && { archivedAt: iso(survey.archivedAt) }),
});
