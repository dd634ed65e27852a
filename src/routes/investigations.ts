import { Hono } from 'hono';
import { z } from 'zod';
import { contextOf, type Env } from '../http/context.ts';
import { statusOf } from '../http/created.ts';
import { date, iso, itemStatus, timeZone } from '../http/fields.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date as dateShape, id, uri, zone } from '../http/openapi/shapes.ts';
import { body, name } from '../http/validation.ts';
import {
  createInvestigation,
  type Investigation,
  listInvestigations,
  readInvestigation,
  updateInvestigation,
} from '../model/investigations.ts';
import { localDate } from '../schedule/civil.ts';

const tag = 'Studies';

const createBody = z.strictObject({ name, timeZone: timeZone.default('UTC'), startsOn: date.optional() });
const updateBody = z.strictObject({ name, timeZone, startsOn: date, status: itemStatus }).partial();

const investigation = z
  .strictObject({
    uri: uri('/investigation'),
    identifier: id,
    name: z.string(),
    timeZone: zone,
    startsOn: dateShape,
    creation: at,
    role: z.enum(['owner', 'editor', 'responder']).meta({ description: "The caller's." }),
    status: itemStatus,
    frozenAt: at.optional().meta({ description: 'Only of frozen studies.' }),
  })
  .meta({ id: 'Investigation' });
const investigationList = z
  .strictObject({ investigations: z.array(investigation) })
  .meta({ id: 'Investigations' });

const sleep: z.input<typeof investigation> = {
  uri: `/investigation/${examples.study.identifier}`,
  ...examples.study,
  startsOn: '2027-03-01',
  creation: '2027-02-22T09:12:30.000Z',
  role: 'owner',
  status: 'active',
};

export const investigations = new Hono<Env>()
  .post(
    '/investigation',
    documented({
      id: 'createInvestigation',
      tag,
      summary: 'Creates a study, which the caller owns',
      request: { name: sleep.name, timeZone: sleep.timeZone, startsOn: sleep.startsOn },
      answers: { 201: json('The study.', investigation, sleep) },
      problems: ['resource.not-found', 'limit.reached'],
    }),
    body(createBody),
    async (c) => {
      const context = contextOf(c);
      const { startsOn, ...study } = c.req.valid('json');
      const today = localDate(context.now, study.timeZone);
      const created = await createInvestigation(context, { ...study, startsOn: startsOn ?? today });
      const status = statusOf(c, { created: true, location: `/investigation/${created.id}` });
      return c.json(toInvestigation(created), status);
    },
  )
  .get(
    '/investigation',
    documented({
      id: 'listInvestigations',
      tag,
      summary: 'Lists the studies that the caller belongs to',
      answers: { 200: json('All of them.', investigationList, { investigations: [sleep] }) },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const rows = await listInvestigations(contextOf(c));
      const list: z.input<typeof investigationList> = { investigations: rows.map(toInvestigation) };
      return c.json(list);
    },
  )
  .get(
    '/investigation/:id',
    documented({
      id: 'readInvestigation',
      tag,
      summary: 'Reads a study',
      answers: { 200: json('The study.', investigation, sleep) },
      problems: ['resource.not-found'],
    }),
    async (c) => c.json(toInvestigation(await readInvestigation(contextOf(c), c.req.param('id')))),
  )
  .patch(
    '/investigation/:id',
    documented({
      id: 'updateInvestigation',
      tag,
      summary: 'Changes or archives a study',
      request: { name: 'Sleep and dreams', status: 'archived' },
      answers: {
        200: json('The study as it is now.', investigation, {
          ...sleep,
          name: 'Sleep and dreams',
          status: 'archived',
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    body(updateBody),
    async (c) => {
      const updated = await updateInvestigation(contextOf(c), c.req.param('id'), c.req.valid('json'));
      return c.json(toInvestigation(updated));
    },
  );

const toInvestigation = (study: Investigation): z.input<typeof investigation> => ({
  uri: `/investigation/${study.id}`,
  identifier: study.id,
  name: study.name,
  timeZone: study.timeZone,
  startsOn: study.startsOn,
  creation: iso(study.createdAt),
  role: study.role,
  status: study.archivedAt === null ? 'active' : 'archived',
  ...(study.frozenAt !== null && { frozenAt: iso(study.frozenAt) }),
});
