import { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import type { Env } from '../../http/context.ts';
import { documented } from '../../http/openapi/documented.ts';

/** The page on which participants take part, at `/p/`. It calls the public API only. */
export const participantPage = new Hono<Env>()
  // Its service worker has the paths below `/p/`. A browser keeps the code of a link, which is its fragment.
  .get(
    '/p',
    documented({
      id: 'participantPageFolder',
      tag: 'Operations',
      summary: 'Leads to the page on which participants take part',
      access: 'open',
      answers: { 307: { description: 'The page is at `/p/`.', headers: ['Location'] } },
    }),
    (c) => c.redirect('/p/', 307),
  )
  .get(
    '/p/',
    documented({
      id: 'participantPage',
      tag: 'Operations',
      summary: 'Shows the page on which participants take part',
      description: 'The fragment of a link, which stays in the browser, is the code of an enrolment.',
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
    async (c) => {
      const html = await c.get('services').page?.('p');
      if (!html) throw notFound('resource');
      return c.html(html, 200, { 'content-security-policy': policy, 'cache-control': 'no-cache' });
    },
  );

/**
 * The page runs and loads nothing but its own files, and calls this service only: its token is kept on the phone for
 * months. Its one policy of trusted types names the service worker. The manifest of a participant on an iPhone has a code,
 * which no address of the service may hold: it is a `data:` address.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types fieldbell',
].join('; ');
