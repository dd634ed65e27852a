import { Hono } from 'hono';
import * as z from 'zod';
import type { ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { iso, languageTag, timeZone } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id } from '../../http/openapi/shapes.ts';
import { countUse } from '../../http/rate-limits.ts';
import { body, bounded, name } from '../../http/validation.ts';
import { toUser, user, userExample } from '../../people/shapes.ts';
import { readCode } from '../codes.ts';
import { enrol } from '../enrol.ts';

const expectedCode = 'Expected a code of 12 letters and digits, such as 7M2K-9QXB-4TWD.';
const expectedSecret = 'Expected 32 to 128 letters, digits, hyphens or underscores, made at random.';
const enrolBody = z.strictObject({
  code: bounded(100, expectedCode)
    .transform((typed, ctx) => {
      const code = readCode(typed);
      if (code !== null) return code;
      ctx.addIssue(expectedCode);
      return z.NEVER;
    })
    .meta({
      description: 'In any case, with or without its hyphens; O is read as 0, and I and L as 1.',
      examples: ['7M2K-9QXB-4TWD'],
    }),
  secret: bounded(128, expectedSecret)
    .regex(/^[\w-]{32,128}$/, expectedSecret)
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat: a repeat with the same code and secret finds the same user. Everybody with the secret can enrol as that user until their tokens are ended, so forget it when the answer has come.',
      examples: ['c1f0a4e97d5b4b0f8a6e2d3c4b5a69788796a5b4c3d2e1f0'],
    }),
  name: name.optional(),
  timeZone: timeZone.optional(),
  language: languageTag.optional(),
});

const token = z.string().meta({ description: 'A JWT for the header `Authorization: Bearer`.' });
const enrolled = z
  .strictObject({
    user,
    token,
    expiresAt: at.meta({ description: 'Of the token; a newer one comes from `POST /user/me/token`.' }),
    investigation: z.strictObject({ identifier: id, name: z.string() }),
  })
  .meta({ id: 'Enrolled' });

const example: z.input<typeof enrolled> = {
  user: {
    ...userExample,
    name: 'Participant 17',
    customRemindersTime: null,
    language: 'fr',
    devices: [],
  },
  token: 'eyJhbGciOiJFZERTQSIsImtpZCI6Imt...',
  expiresAt: '2028-03-28T09:40:00.000Z',
  investigation: { identifier: examples.study.identifier, name: examples.study.name },
};

/** The first request of a participant, who has no token yet. */
export const createEnrol = (tokens: ParticipantTokens | undefined, forgetUser: (user: string) => void) =>
  new Hono<Env>().post(
    '/enrol',
    requireParticipants(tokens),
    documented({
      id: 'enrol',
      tag: 'Enrolment',
      summary: 'Takes part in a study by a code',
      description:
        'Needs no token. A code of a study makes a new user, who is a responder of the study, named "Participant 17" unless the request says otherwise. A code from `relink` gives its participant a new token, and ends the earlier ones. A code that is wrong, used up, expired or ended, or whose study is archived, gets one and the same 404. Wrong codes are limited by address, and so are uses of right ones: 300 in ten minutes, for a whole hall; a code is not used by a request that is refused so. A repeat does not count.',
      access: 'open',
      request: {
        code: '7M2K-9QXB-4TWD',
        secret: 'c1f0a4e97d5b4b0f8a6e2d3c4b5a69788796a5b4c3d2e1f0',
        timeZone: 'Europe/Paris',
        language: 'fr',
      },
      answers: {
        201: json('The new user, and their token.', enrolled, example),
        200: json('A user who exists, with a new token: by a code from `relink`, or by a repeat.', enrolled, {
          ...example,
          user: { ...example.user, devices: userExample.devices },
        }),
      },
      problems: [
        'request.malformed-json',
        'resource.not-found',
        'limit.reached',
        'request.too-large',
        'request.not-json',
        'rate.limited',
        'database.overloaded',
      ],
    }),
    body(enrolBody),
    async (c) => {
      const context = contextOf(c);
      const used = await enrol(context, c.req.valid('json'), () => countUse(c));
      if (!used.created) forgetUser(used.user.id);
      const status = statusOf(c, { created: used.created, location: `/user/${used.user.id}` });
      const { token, expiresAt } = await c.get('participantTokens').sign(used.subject, context.now);
      const answer: z.input<typeof enrolled> = {
        user: toUser(used.user, context.now),
        token,
        expiresAt: iso(expiresAt),
        investigation: { identifier: used.investigation, name: used.name },
      };
      return c.json(answer, status);
    },
  );
