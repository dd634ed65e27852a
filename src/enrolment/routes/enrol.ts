import { Hono } from 'hono';
import * as z from 'zod';
import type { ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { iso, languageTag, timeZone } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, zone } from '../../http/openapi/shapes.ts';
import { countUse } from '../../http/rate-limits.ts';
import { body, bounded, name } from '../../http/validation.ts';
import { toUser, user, userExample } from '../../people/shapes.ts';
import { informationText } from '../../studies/information-shapes.ts';
import { longestTyped, readCode } from '../../typed-code.ts';
import { aboutCode, enrol } from '../enrol.ts';

const expectedCode = 'Expected a code of 12 letters and digits, such as 7M2K-9QXB-4TWD.';
const expectedSecret = 'Expected 32 to 128 letters, digits, hyphens or underscores, made at random.';
const expectedHash = 'Expected the `agreedTo` of an answer of `POST /enrol/about`: 64 hexadecimal digits.';
const code = bounded(longestTyped, expectedCode)
  .transform((typed, ctx) => {
    const code = readCode(typed);
    if (code !== null) return code;
    ctx.addIssue(expectedCode);
    return z.NEVER;
  })
  .meta({
    description:
      'As a person types or pastes it: in any case, with or without its hyphens, O for 0, and I or L for 1; with other dashes and digits; in a link or in a sentence.',
    examples: ['7M2K-9QXB-4TWD'],
  });
const aboutBody = z.strictObject({
  code,
  language: languageTag.optional().meta({ description: 'The language of the person who reads it.' }),
});
const enrolBody = z.strictObject({
  code,
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
  agreedTo: bounded(64, expectedHash)
    .regex(/^[0-9a-f]{64}$/, expectedHash)
    .optional()
    .meta({
      description:
        'The hash of the information that the person has read, from `POST /enrol/about`. It is kept with the membership. A code from `relink` changes nothing of what was agreed to.',
    }),
});

const about = z
  .strictObject({
    investigation: z.strictObject({ name: z.string(), timeZone: zone }),
    information: informationText
      .extend({ language: z.string().meta({ description: 'The tag of the text.' }) })
      .nullable(),
    agreedTo: z.string().nullable().meta({
      description:
        'For `POST /enrol`: SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of title, text and contact.',
    }),
  })
  .meta({ id: 'AboutCode' });

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

const aboutExample: z.input<typeof about> = {
  investigation: { name: examples.study.name, timeZone: examples.study.timeZone },
  information: {
    language: 'fr',
    title: 'Comment dormez-vous ?',
    text: 'Chaque soir, pendant deux semaines, nous vous posons quelques questions sur votre sommeil.',
    contact: 'Dr Ada Blum, sommeil@example.org',
  },
  agreedTo: '0d0d4b1ec1f0a4e97d5b4b0f8a6e2d3c4b5a69788796a5b4c3d2e1f07d5b4b0f',
};

const problems = [
  'request.malformed-json',
  'resource.not-found',
  'request.too-large',
  'request.not-json',
  'rate.limited',
  'database.overloaded',
] as const;

/** The first requests of a participant, who has no token yet. */
export const createEnrol = (tokens: ParticipantTokens | undefined, forgetUser: (user: string) => void) =>
  new Hono<Env>()
    .post(
      '/enrol/about',
      requireParticipants(tokens),
      documented({
        id: 'aboutCode',
        tag: 'Enrolment',
        summary: 'Shows what a code is for',
        description:
          'Needs no token, and does not use the code. The name of the study, and its `information` in the language of the request: by RFC 4647 lookup, else the English text, else the first by its tag. For a code that could be used now; any other gets one and the same 404, as from `POST /enrol`, and counts as a wrong one. Right codes are limited by address as their uses are, and counted apart.',
        access: 'open',
        request: { code: '7M2K-9QXB-4TWD', language: 'fr-CA' },
        answers: { 200: json('The study.', about, aboutExample) },
        problems: [...problems],
      }),
      body(aboutBody),
      async (c) => {
        const { code, language } = c.req.valid('json');
        const { name, timeZone, information } = await aboutCode(contextOf(c), { code, language }, () =>
          countUse(c, 'about'),
        );
        return c.json({
          investigation: { name, timeZone },
          information: information?.shown ?? null,
          agreedTo: information?.hash ?? null,
        } satisfies z.input<typeof about>);
      },
    )
    .post(
      '/enrol',
      requireParticipants(tokens),
      documented({
        id: 'enrol',
        tag: 'Enrolment',
        summary: 'Takes part in a study by a code',
        description:
          'Needs no token. A code of a study makes a new user, who is a responder of the study, named "Participant 17" unless the request says otherwise. A code from `relink` gives its participant a new token, and ends the earlier ones. A code that is wrong, used up, expired or ended, or whose study is archived, gets one and the same 404. Wrong codes are limited by address, and so are uses of right ones: 300 in ten minutes, for a whole hall; a code is not used by a request that is refused so. A repeat does not count. With `agreedTo`, one of the present texts of the study has to have this hash: otherwise 409 `information.changed`, and the code is not used.',
        access: 'open',
        request: {
          code: '7M2K-9QXB-4TWD',
          secret: 'c1f0a4e97d5b4b0f8a6e2d3c4b5a69788796a5b4c3d2e1f0',
          timeZone: 'Europe/Paris',
          language: 'fr',
        },
        answers: {
          201: json('The new user, and their token.', enrolled, example),
          200: json(
            'A user who exists, with a new token: by a code from `relink`, or by a repeat.',
            enrolled,
            {
              ...example,
              user: { ...example.user, devices: userExample.devices },
            },
          ),
        },
        problems: [...problems, 'limit.reached', 'information.changed'],
      }),
      body(enrolBody),
      async (c) => {
        const context = contextOf(c);
        const used = await enrol(context, c.req.valid('json'), () => countUse(c, 'use'));
        if (!used.created) forgetUser(used.user.id);
        const status = statusOf(c, { created: used.created, location: `/user/${used.user.id}` });
        const { token, expiresAt } = await c
          .get('participantTokens')
          .sign(used.subject, { now: context.now });
        const answer: z.input<typeof enrolled> = {
          user: toUser(used.user, context.now),
          token,
          expiresAt: iso(expiresAt),
          investigation: { identifier: used.investigation, name: used.name },
        };
        return c.json(answer, status);
      },
    );
