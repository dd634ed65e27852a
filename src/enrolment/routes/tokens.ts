import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { forbidden } from '../../errors.ts';
import type { ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { at, nothing } from '../../http/openapi/shapes.ts';
import { participantIssuer } from '../../identifiers.ts';
import { grouped } from '../codes.ts';
import { endTokens } from '../end-tokens.ts';
import { pageOf } from '../enrolment-shapes.ts';
import { createOwnRelink } from '../relinks.ts';

const tag = 'Enrolment';

const newToken = z.strictObject({ token: z.string(), expiresAt: at }).meta({ id: 'Token' });

/** @throws action.forbidden */
const onlyParticipants = createMiddleware<Env>((c, next) => {
  if (c.get('identity').issuer !== participantIssuer)
    throw forbidden('Only participants who enrolled by a code have tokens of this service.');
  return next();
});

const ownCode = z
  .strictObject({
    code: z.string(),
    url: z.string().meta({ description: "The participant's page, with the code in its fragment." }),
    expiresAt: at,
  })
  .meta({ id: 'OwnCode' });
const ownCodeExample: z.input<typeof ownCode> = {
  code: '7M2K-9QXB-4TWD',
  url: 'https://fieldbell.example.org/p/#7M2K-9QXB-4TWD',
  expiresAt: '2027-03-02T10:40:00.000Z',
};

/**
 * For participants who enrolled by a code: their own tokens. `publicOrigin` is the origin of links; that of the request, if
 * absent.
 */
export const createTokens = (tokens: ParticipantTokens | undefined, publicOrigin: string | undefined) =>
  new Hono<Env>()
    .post(
      '/user/me/token',
      requireParticipants(tokens),
      onlyParticipants,
      documented({
        id: 'renewToken',
        tag,
        summary: 'Gives a participant a newer token',
        description: 'Good for 400 days. The token of the request stays valid until it expires.',
        answers: {
          200: json('A token of the caller.', newToken, {
            token: 'eyJhbGciOiJFZERTQSIsImtpZCI6Imt...',
            expiresAt: '2028-04-05T09:40:00.000Z',
          }),
        },
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        const { now } = c.get('services');
        const { token, expiresAt } = await c
          .get('participantTokens')
          .sign(c.get('identity').subject, { now: now() });
        return c.json({ token, expiresAt: iso(expiresAt) } satisfies z.input<typeof newToken>);
      },
    )
    .post(
      '/user/me/relink',
      requireParticipants(tokens),
      onlyParticipants,
      documented({
        id: 'relinkMe',
        tag,
        summary: 'Makes a code by which a participant continues on another page of theirs',
        description:
          'A page on the home screen of an iPhone knows nothing of the page in the browser: this code makes it the page of the same participant. It works once, for an hour, and its use ends all earlier tokens. While such a code is good for half an hour longer, it is given again. Codes of the team of the study stay as they are. A participant who belongs to another study as well gets none (`member.elsewhere`).',
        answers: {
          201: json('The code.', ownCode, ownCodeExample),
          200: json('The code of an earlier request.', ownCode, ownCodeExample),
        },
        problems: ['resource.not-found', 'action.forbidden', 'member.elsewhere', 'study.archived'],
      }),
      async (c) => {
        const { code, expiresAt, created } = await createOwnRelink(contextOf(c));
        const url = pageOf(publicOrigin ?? new URL(c.req.url).origin, { code });
        const answer: z.input<typeof ownCode> = { code: grouped(code), url, expiresAt: iso(expiresAt) };
        return c.json(answer, statusOf(c, { created, location: '/user/me' }));
      },
    )
    .delete(
      '/user/me/tokens',
      requireParticipants(tokens),
      onlyParticipants,
      documented({
        id: 'endTokens',
        tag,
        summary: 'Ends all tokens of a participant',
        description:
          'All tokens, that of the request included, are refused everywhere within a minute. The team of the study gives the participant a code for a new token (`relink`).',
        answers: nothing('All tokens have ended.'),
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        await endTokens(contextOf(c));
        c.get('forget')();
        return c.body(null, 204);
      },
    );
