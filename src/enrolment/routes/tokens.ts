import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { forbidden } from '../../errors.ts';
import type { ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { at, nothing } from '../../http/openapi/shapes.ts';
import { participantIssuer } from '../../identifiers.ts';
import { endTokens } from '../end-tokens.ts';

const tag = 'Enrolment';

const newToken = z.strictObject({ token: z.string(), expiresAt: at }).meta({ id: 'Token' });

/** @throws action.forbidden */
const onlyParticipants = createMiddleware<Env>((c, next) => {
  if (c.get('identity').issuer !== participantIssuer)
    throw forbidden('Only participants who enrolled by a code have tokens of this service.');
  return next();
});

/** For participants who enrolled by a code: their own tokens. */
export const createTokens = (tokens: ParticipantTokens | undefined) =>
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
        const { token, expiresAt } = await c.get('participantTokens').sign(c.get('identity').subject, now());
        return c.json({ token, expiresAt: iso(expiresAt) } satisfies z.input<typeof newToken>);
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
