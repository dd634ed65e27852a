import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { date, iso, itemStatus, timeZone } from '../http/fields.ts';
import { body, name } from '../http/validation.ts';
import { startReplans } from '../jobs/outbox.ts';
import {
  createInvestigation,
  type Investigation,
  listInvestigations,
  readInvestigation,
  updateInvestigation,
} from '../model/investigations.ts';
import { localDate } from '../schedule/civil.ts';
import * as docs from './docs/investigations.ts';

const createBody = z.strictObject({ name, timeZone: timeZone.default('UTC'), startsOn: date.optional() });
const updateBody = z.strictObject({ name, timeZone, startsOn: date, status: itemStatus }).partial();

export const investigations = new Hono<Env>()
  .post('/investigation', docs.create, body(createBody), async (c) => {
    const { db, now } = c.get('services');
    const { startsOn, ...study } = c.req.valid('json');
    const starts = startsOn ?? localDate(now(), study.timeZone);
    const by = { actor: c.get('actor'), most: c.get('limits').studies };
    const created = await createInvestigation(db, by, { ...study, startsOn: starts }, now());
    return c.json(toInvestigation(created), 201);
  })
  .get('/investigation', docs.list, async (c) => {
    const rows = await listInvestigations(c.get('services').db, c.get('actor'));
    return c.json({ investigations: rows.map(toInvestigation) });
  })
  .get('/investigation/:id', docs.read, async (c) => {
    const study = await readInvestigation(c.get('services').db, c.get('actor'), c.req.param('id'));
    return c.json(toInvestigation(study));
  })
  .patch('/investigation/:id', docs.update, body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const change = c.req.valid('json');
    const { investigation, job } = await updateInvestigation(
      db,
      c.get('actor'),
      c.req.param('id'),
      change,
      now(),
    );
    if (job) await startReplans(c.get('services'), [job]);
    return c.json(toInvestigation(investigation));
  });

const toInvestigation = (study: Investigation) => ({
  uri: `/investigation/${study.id}`,
  identifier: study.id,
  name: study.name,
  timeZone: study.timeZone,
  startsOn: study.startsOn,
  creation: iso(study.createdAt),
  role: study.role,
  status: study.archivedAt === null ? 'active' : 'archived',
});
