import { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { catalogue, notFound, type ProblemCode } from '../../errors.ts';
import type { Env } from '../../http/context.ts';
import { documented, json } from '../../http/openapi/documented.ts';

const codes = Object.keys(catalogue) as ProblemCode[];
const explanation = z
  .strictObject({ code: z.enum(codes), status: z.int(), title: z.string(), meaning: z.string() })
  .meta({ id: 'ProblemExplanation' });

const isCode = (code: string): code is ProblemCode => Object.hasOwn(catalogue, code);

const explain = (code: ProblemCode): z.input<typeof explanation> => {
  const { status, title, meaning } = catalogue[code];
  return { code, status, title, meaning };
};

/** The target of a problem's `type`: a page for people, JSON for programs. */
export const problems = new Hono<Env>().get(
  '/problems/:code',
  documented({
    id: 'explainProblem',
    tag: 'Operations',
    summary: 'Explains a problem',
    access: 'open',
    answers: {
      200: {
        ...json(
          'The meaning of the code: JSON for programs, a page for people.',
          explanation,
          explain('item.locked'),
          ['Vary'],
        ),
        also: { 'text/html': { schema: { type: 'string' } } },
      },
    },
    problems: ['resource.not-found'],
  }),
  (c) => {
    const code = c.req.param('code');
    if (!isCode(code)) throw notFound('problem');
    const { status, title, meaning } = explain(code);
    c.header('vary', 'accept');
    if (!c.req.header('accept')?.includes('text/html')) return c.json(explain(code));
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    return c.html(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${code}</title>
    <style>
      body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1.1rem/1.6 system-ui, sans-serif; color-scheme: light dark; }
    </style>
  </head>
  <body>
    <p><code>${code}</code> · HTTP ${status}</p>
    <h1>${title}</h1>
    <p>${meaning.split('`').map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part))}</p>
  </body>
</html>`);
  },
);
