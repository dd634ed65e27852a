import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { date, givenProperties, instant, ownDates, participation } from '../../http/fields.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { next, nothing, uri } from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, count, query, text } from '../../http/validation.ts';
import { enrolment, enrolmentExample as example, pageOf, toEnrolment } from '../enrolment-shapes.ts';
import { createEnrolment, endEnrolment, listEnrolments, readEnrolment } from '../enrolments.ts';
import { qrCode } from '../qr-code.ts';
import { createRelink } from '../relinks.ts';

const tag = 'Enrolment';

const expectedUses = 'Expected a whole number from 1 to 100000.';
const createBody = z.strictObject({
  label: text(1, 100).optional(),
  uses: z
    .int(expectedUses)
    .min(1, expectedUses)
    .max(100_000, expectedUses)
    .default(1)
    .meta({ description: 'The number of people who may enrol by the code.' }),
  expiresAt: instant.optional(),
  dates: ownDates(date)
    .optional()
    .meta({ description: 'Dates of the people who enrol by it, by the names that the study declares.' }),
  participation: participation.optional(),
  properties: givenProperties
    .optional()
    .meta({ description: 'Properties of the people who enrol by it, of those that the study declares.' }),
  identifier: chosenIdentifier.optional(),
});
const listQuery = z.strictObject({
  limit: count(1000, 1000),
  cursor: cursor(z.tuple([z.int()])).optional(),
});
const enrolmentList = z
  .strictObject({ investigation: uri('investigation'), enrolments: z.array(enrolment), next })
  .meta({ id: 'Enrolments' });

const { number: _number, label: _label, ...unlabelled } = example;
const relinkExample: z.input<typeof enrolment> = {
  ...unlabelled,
  uses: 1,
  used: 0,
  usesByHour: [],
  expiresAt: '2027-02-23T09:30:00.000Z',
  user: `/user/${examples.responder.identifier}`,
};

/** For owners and editors: the codes of a study. `publicOrigin` is the origin of links; that of the request, if absent. */
export function createEnrolments(tokens: ParticipantTokens | undefined, publicOrigin: string | undefined) {
  const available = requireParticipants(tokens);
  const originOf = (c: Context<Env>) => publicOrigin ?? new URL(c.req.url).origin;
  return new Hono<Env>()
    .post(
      '/investigation/:id/enrolment',
      available,
      documented({
        id: 'createEnrolment',
        tag,
        summary: 'Makes a code by which people take part without an account',
        description:
          'For owners and editors. With an `identifier` the request may be repeated safely. Editors with a scope make codes within it: a property of their scope with one value is filled in.',
        request: { label: example.label, uses: example.uses, expiresAt: example.expiresAt },
        answers: {
          201: json('The code.', enrolment, { ...example, used: 0, usesByHour: [] }),
          200: json('The same code was made before.', enrolment, example),
        },
        problems: [
          'resource.not-found',
          'action.forbidden',
          'study.archived',
          'identifier.taken',
          'limit.reached',
        ],
      }),
      body(createBody),
      async (c) => {
        const context = contextOf(c);
        const { enrolment: row, created } = await createEnrolment(
          context,
          c.req.param('id'),
          c.req.valid('json'),
        );
        const status = statusOf(c, { created, location: `/enrolment/${row.id}` });
        return c.json(toEnrolment(row, originOf(c), context.now), status);
      },
    )
    .get(
      '/investigation/:id/enrolments',
      available,
      documented({
        id: 'listEnrolments',
        tag,
        summary: 'Lists the codes of a study',
        description:
          'In order of creation, for owners and editors. Codes outside of the scope of an editor, and those with a blinded property for others than owners, do not exist for them.',
        answers: {
          200: json(
            'A page of codes.',
            enrolmentList,
            { investigation: example.investigation, enrolments: [example] },
            ['Link'],
          ),
        },
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      query(listQuery),
      async (c) => {
        const context = contextOf(c);
        const { limit, cursor: [after] = [] } = c.req.valid('query');
        const id = c.req.param('id');
        const listed = await listEnrolments(context, id, { limit, after });
        const end = listed.end === undefined ? undefined : [listed.end];
        const { rows, next } = cutPage(listed.rows, limit, (row) => [row.number ?? 0], end);
        linkNext(c, next);
        const page: z.input<typeof enrolmentList> = {
          investigation: `investigation/${id}`,
          enrolments: rows.map((row) => toEnrolment(row, originOf(c), context.now)),
          ...(next && { next }),
        };
        return c.json(page);
      },
    )
    .get(
      '/enrolment/:id',
      available,
      documented({
        id: 'readEnrolment',
        tag,
        summary: 'Reads a code',
        answers: { 200: json('The code.', enrolment, example) },
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        const context = contextOf(c);
        const row = await readEnrolment(context, c.req.param('id'));
        return c.json(toEnrolment(row, originOf(c), context.now));
      },
    )
    .get(
      '/enrolment/:id/qr',
      available,
      documented({
        id: 'readEnrolmentQr',
        tag,
        summary: "Shows a code's link as a QR code",
        answers: {
          200: { description: 'The QR code.', also: { 'image/svg+xml': { schema: { type: 'string' } } } },
        },
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        const row = await readEnrolment(contextOf(c), c.req.param('id'));
        return c.body(qrCode(pageOf(originOf(c), row)), 200, {
          'content-type': 'image/svg+xml; charset=utf-8',
          'content-security-policy': "default-src 'none'; sandbox",
        });
      },
    )
    .delete(
      '/enrolment/:id',
      available,
      documented({
        id: 'endEnrolment',
        tag,
        summary: 'Ends a code',
        description:
          'Nobody enrols by the code any more. The code stays in the list, and people who enrolled by the code still take part.',
        answers: nothing('The code has ended.'),
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        await endEnrolment(contextOf(c), c.req.param('id'));
        return c.body(null, 204);
      },
    )
    .post(
      '/investigation/:id/member/:user/relink',
      available,
      documented({
        id: 'relinkMember',
        tag,
        summary: 'Makes a code that gives a participant a new token',
        description:
          'For a lost phone, by owners and editors of the study in which the participant enrolled. The code works once, for 24 hours, and replaces an earlier one. Its use gives a token of the same user, and ends all earlier tokens of that user. A participant who belongs to another study as well, or has answers or cases in one, gets none (`member.elsewhere`), and a code that was made before does not work any more: the token would open that study, too.',
        answers: { 201: json('The code.', enrolment, relinkExample) },
        problems: [
          'resource.not-found',
          'action.forbidden',
          'member.elsewhere',
          'study.archived',
          'limit.reached',
        ],
      }),
      async (c) => {
        const context = contextOf(c);
        const { id, user } = c.req.param();
        const row = await createRelink(context, id, user);
        c.header('Location', `/enrolment/${row.id}`);
        return c.json(toEnrolment(row, originOf(c), context.now), 201);
      },
    );
}
