import { Hono } from 'hono';
import * as z from 'zod';
import { invalid } from '../../errors.ts';
import { maxTokenDays, type ParticipantTokens } from '../../http/auth/participant-tokens.ts';
import { requireParticipants } from '../../http/auth/require-participants.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { instant, iso } from '../../http/fields.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, date, id, next, nothing, uri } from '../../http/openapi/shapes.ts';
import { body, count, identifier, query, text } from '../../http/validation.ts';
import { dayMs } from '../../schedule/days.ts';
import { givenScope, scope, toRule } from '../../studies/member-shapes.ts';
import { createProgram, endProgram, listPrograms, type Program } from '../programs.ts';

const tag = 'Programs';

const createBody = z.strictObject({
  label: text(1, 100),
  expiresAt: instant.meta({ description: `At most ${maxTokenDays} days from now.` }),
  scope: givenScope,
});

const shown = {
  identifier: id.meta({ description: 'Of the program, which is a member of the study.' }),
  label: z.string(),
  createdAt: at,
  createdBy: uri('/user'),
  expiresAt: at,
  scope: scope.meta({ description: 'The part of the study that the program reads, if not all of it.' }),
};

const newProgram = z
  .strictObject({ ...shown, token: z.string().meta({ description: 'It is shown this once.' }) })
  .meta({ id: 'NewProgram' });

const program = z
  .strictObject({
    ...shown,
    lastUsedOn: date.nullable().meta({
      description: 'The last day, by UTC, on which it made a request about the study.',
    }),
    state: z.enum(['active', 'expired', 'ended']).meta({
      description: '`ended`: the owner who made it is an owner no more, which ends it for good.',
    }),
  })
  .meta({ id: 'Program' });

const programList = z
  .strictObject({ investigation: uri('investigation'), tokens: z.array(program), next })
  .meta({ id: 'Programs' });

const { study, owner } = examples;
const example = {
  identifier: '019fa1b2c3d47e5f8a9b0c1d2e3f4a5b',
  label: 'Nightly copy for R',
  createdAt: '2027-03-01T09:00:00.000Z',
  createdBy: `/user/${owner.identifier}`,
  expiresAt: '2028-03-01T09:00:00.000Z',
};

const toShown = ({
  id,
  label,
  createdAt,
  createdBy,
  expiresAt,
  scope,
}: Omit<Program, 'lastUsedOn' | 'ended'>) => ({
  identifier: id,
  label,
  createdAt: iso(createdAt),
  createdBy: `/user/${createdBy}`,
  expiresAt: iso(expiresAt),
  ...(scope && { scope: toRule(scope) }),
});

const toProgram = (row: Program, now: number): z.input<typeof program> => ({
  ...toShown(row),
  lastUsedOn: row.lastUsedOn,
  state: row.ended ? 'ended' : row.expiresAt <= now ? 'expired' : 'active',
});

/** @throws request.invalid */
function requireInTime(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw invalid('/expiresAt', 'Expected an instant in the future.');
  if (expiresAt > now + maxTokenDays * dayMs)
    throw invalid('/expiresAt', `Expected an instant at most ${maxTokenDays} days from now.`);
}

/** For owners: the tokens by which programs read a study. */
export const createPrograms = (tokens: ParticipantTokens | undefined, forgetUser: (user: string) => void) =>
  new Hono<Env>()
    .post(
      '/investigation/:id/token',
      requireParticipants(tokens),
      documented({
        id: 'createToken',
        tag,
        summary: 'Makes a token by which a program reads a study',
        description: `For owners, with a token whose \`auth_time\` is fresh. The program reads what a monitor reads in this study, or in its \`scope\`, by GET and HEAD, and writes nothing. It is a member of the study with the role \`monitor\`, and its use is in the trail of access.`,
        request: { label: example.label, expiresAt: example.expiresAt },
        answers: {
          201: json('The token.', newProgram, { ...example, token: 'eyJhbGciOiJFZERTQSIsImtpZCI6Imt...' }),
        },
        problems: [
          'resource.not-found',
          'action.forbidden',
          'auth.sign-in-stale',
          'study.archived',
          'limit.reached',
        ],
      }),
      body(createBody),
      async (c) => {
        const context = contextOf(c);
        const given = c.req.valid('json');
        requireInTime(given.expiresAt, context.now);
        const investigation = c.req.param('id');
        const { subject, ...row } = await createProgram(context, investigation, given);
        const { token } = await c
          .get('participantTokens')
          .sign(subject, { now: context.now, expiresAt: row.expiresAt });
        const location = `/investigation/${investigation}/member/${row.id}`;
        statusOf(c, { created: true, location });
        return c.json({ ...toShown(row), token } satisfies z.input<typeof newProgram>, 201);
      },
    )
    .get(
      '/investigation/:id/tokens',
      requireParticipants(tokens),
      documented({
        id: 'listTokens',
        tag,
        summary: 'Lists the tokens for programs of a study',
        description:
          'For owners, in order of creation. Tokens that an owner has ended are in the activity log alone.',
        answers: {
          200: json(
            'A page of tokens, without the tokens themselves.',
            programList,
            {
              investigation: `investigation/${study.identifier}`,
              tokens: [{ ...example, lastUsedOn: '2027-03-02', state: 'active' }],
            },
            ['Link'],
          ),
        },
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      query(z.strictObject({ limit: count(1000, 100), cursor: cursor(z.tuple([identifier])).optional() })),
      async (c) => {
        const context = contextOf(c);
        const { limit, cursor: [after] = [] } = c.req.valid('query');
        const investigation = c.req.param('id');
        const listed = await listPrograms(context, investigation, { limit, after });
        const { rows, next } = cutPage(listed, limit, (row) => [row.id]);
        linkNext(c, next);
        const page: z.input<typeof programList> = {
          investigation: `investigation/${investigation}`,
          tokens: rows.map((row) => toProgram(row, context.now)),
          ...(next && { next }),
        };
        return c.json(page);
      },
    )
    .delete(
      '/investigation/:id/token/:token',
      requireParticipants(tokens),
      documented({
        id: 'endToken',
        tag,
        summary: 'Ends the token of a program',
        description: 'For owners. It is refused within a minute, everywhere.',
        answers: nothing('The token is ended.'),
        problems: ['resource.not-found', 'action.forbidden'],
      }),
      async (c) => {
        const { id: investigation, token } = c.req.param();
        await endProgram(contextOf(c), investigation, token);
        forgetUser(token);
        return c.body(null, 204);
      },
    );
