import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { notFound } from '../../errors.ts';
import type { Env } from '../../http/context.ts';
import { documented, json } from '../../http/openapi/documented.ts';

const tag = 'Operations';

const settings = z
  .strictObject({
    issuer: z.string().meta({ description: "Its discovery document leads to the provider's sign-in page." }),
    audience: z.string().meta({ description: 'The `aud` that a token must have.' }),
    clientId: z.string().nullable().meta({ description: 'Null: nobody can sign in to the console.' }),
    scope: z.string().meta({ description: 'The scopes that the console requests from the provider.' }),
    origins: z.array(z.string()).meta({ description: 'The hosts that the page may call beside its own.' }),
    local: z
      .boolean()
      .meta({ description: 'Tokens are signed with a local secret, so a link may bring one.' }),
  })
  .meta({ id: 'ConsoleSettings' });

/** The sign-in of the console. */
export type ConsoleSettings = z.input<typeof settings>;

/** The study console: its page at `/console` and every path below, and the settings that the page needs to sign in. */
export function createConsole(config: ConsoleSettings) {
  const headers = { 'content-security-policy': policyOf(config.origins), 'cache-control': 'no-cache' };
  const page = createMiddleware<Env>(async (c, next) => {
    if (!/^(?:GET|HEAD)$/.test(c.req.method)) return next();
    // A file that a deployment has replaced is no screen.
    const html = c.req.path.startsWith('/console/assets/') ? null : await c.get('services').page?.('console');
    if (!html) throw notFound('resource');
    return c.html(html, 200, headers);
  });
  return new Hono<Env>()
    .get(
      '/',
      documented({
        id: 'home',
        tag,
        summary: 'Leads to the study console',
        description: 'A service without a console leads to `/docs/`.',
        access: 'open',
        answers: { 307: { description: 'The page is at `/console`.', headers: ['Location'] } },
      }),
      async (c) => c.redirect((await c.get('services').page?.('console')) ? '/console' : '/docs/', 307),
    )
    .get(
      '/console/config',
      documented({
        id: 'consoleConfig',
        tag,
        summary: 'Tells the study console where people sign in',
        access: 'open',
        answers: {
          200: json(
            'The settings of the console.',
            settings,
            {
              issuer: 'https://login.example.org/',
              audience: 'fieldbell',
              clientId: 'fieldbell-console',
              scope: 'openid email',
              origins: ['https://login.example.org'],
              local: false,
            },
            ['Cache-Control'],
          ),
        },
      }),
      (c) => c.json<ConsoleSettings>(config, 200, { 'cache-control': 'no-cache' }),
    )
    .get(
      '/console',
      documented({
        id: 'console',
        tag,
        summary: 'Shows the study console',
        description: 'Every path below answers the same: each screen has an address.',
        access: 'open',
        answers: {
          200: {
            description: 'The page.',
            headers: ['Content-Security-Policy', 'Cache-Control'],
            also: { 'text/html': { schema: { type: 'string' } } },
          },
        },
        problems: ['resource.not-found'],
      }),
      page,
    )
    .use('/console/*', page);
}

/** The page runs and loads nothing but its own files, and calls this service and the provider only. */
const policyOf = (origins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
