import { z } from 'zod';
import { catalogue, type ProblemCode } from '../../errors.ts';
import { documented } from '../../http/openapi/documented.ts';
import { nothing } from './shapes.ts';

const tag = 'Operations';
const codes = Object.keys(catalogue) as ProblemCode[];
const age = z.int().nullable();
const readiness = z
  .strictObject({
    status: z.enum(['ready', 'late']),
    lastSweepAgeSeconds: age,
    oldestOverdueAgeSeconds: age,
  })
  .meta({ id: 'Readiness' });
const explanation = z
  .strictObject({ code: z.enum(codes), status: z.int(), title: z.string(), meaning: z.string() })
  .meta({ id: 'ProblemExplanation' });

export const health = documented({
  id: 'health',
  tag,
  summary: 'Tells that the service is alive',
  access: 'open',
  answers: { 200: { description: 'It is.', schema: z.strictObject({ status: z.literal('ok') }) } },
});

export const ready = documented({
  id: 'readiness',
  tag,
  summary: 'Tells whether reminders keep up',
  access: 'open',
  answers: {
    200: { description: 'They do.', schema: readiness },
    503: { description: 'They are late, or the database has too much to do.', schema: readiness },
  },
  problems: ['database.overloaded'],
});

export const metrics = documented({
  id: 'metrics',
  tag,
  summary: "Metrics in Prometheus' text format",
  description: 'Without a configured `METRICS_TOKEN` it does not exist.',
  access: 'metrics',
  answers: {
    200: { description: 'The metrics.', also: { 'text/plain': { schema: { type: 'string' } } } },
  },
  problems: ['auth.token-invalid', 'resource.not-found', 'database.overloaded'],
});

export const problem = documented({
  id: 'explainProblem',
  tag,
  summary: 'Explains a problem',
  access: 'open',
  answers: {
    200: {
      description: 'What the code means: JSON for programs, a page for people.',
      schema: explanation,
      also: { 'text/html': { schema: { type: 'string' } } },
      headers: ['Vary'],
    },
  },
  problems: ['resource.not-found'],
});

export const relayEvent = documented({
  id: 'receiveRelayEvent',
  tag,
  summary: 'Takes what the push relay tells of endpoints',
  description:
    'For the push relay (Amazon SNS) only, which signs its messages. Without a configured topic it does not exist.',
  access: 'open',
  answers: nothing('It was taken.'),
  problems: [
    'request.invalid',
    'relay-event.foreign',
    'relay-event.forged',
    'relay-event.stale',
    'resource.not-found',
    'request.too-large',
    'database.overloaded',
    'relay.unavailable',
  ],
});

export const openapi = documented({
  id: 'openapi',
  tag,
  summary: 'This document',
  access: 'open',
  answers: {
    200: {
      description: 'OpenAPI 3.1.',
      schema: z.looseObject({ openapi: z.string() }),
      headers: ['ETag', 'Cache-Control'],
    },
    304: { description: 'It is the one that `If-None-Match` names.', headers: ['ETag', 'Cache-Control'] },
  },
});

export const docs = documented({
  id: 'docs',
  tag,
  summary: 'Shows this document to people',
  access: 'open',
  answers: { 307: { description: 'The page is at `/docs/`.', headers: ['Location'] } },
});

export const home = documented({
  id: 'home',
  tag,
  summary: 'Leads to the documentation',
  access: 'open',
  answers: { 307: { description: 'The page is at `/docs/`.', headers: ['Location'] } },
});
