import { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import { resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { documented } from '../../http/openapi/documented.ts';
import { findName } from '../users.ts';

/** The picture of a user, for an `<img>` on any page, which sends no token. */
export const avatars = new Hono<Env>().get(
  '/user/:id/avatar',
  documented({
    id: 'readAvatar',
    tag: 'Users',
    summary: 'Shows the picture of a user',
    description:
      'Anyone who knows the identifier may read it. For a deleted or unknown user it is a placeholder. Only `me` needs a token.',
    access: 'open',
    cached: true,
    answers: {
      200: {
        description: 'Initials on a colour.',
        also: { 'image/svg+xml': { schema: { type: 'string' } } },
        headers: ['Cache-Control', 'Content-Security-Policy'],
      },
    },
    problems: [
      'auth.token-missing',
      'auth.token-invalid',
      'auth.token-expired',
      'auth.keys-unavailable',
      'user.not-signed-up',
      'resource.not-found',
      'user.changed',
      'rate.limited',
      'database.overloaded',
    ],
  }),
  async (c) => {
    const context = contextOf(c);
    const param = c.req.param('id');
    const id = resolveUser(param, context.actor);
    const name = await findName(context, id);
    if (name === null && param === 'me') throw notFound('user');
    return c.body(name === null ? neutralSvg : avatarSvg({ id, name }), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      // A picture opened on its own is a document: it may run and load nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': `${param === 'me' ? 'private' : 'public'}, max-age=300`,
    });
  },
);

const hues = 360;

/** Initials on a colour derived from the user's identifier. */
function avatarSvg({ id, name }: { id: string; name: string }): string {
  const hue = Number.parseInt(id.slice(-4), 16) % hues;
  return svg(
    `hsl(${hue} 45% 38%)`,
    `<text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" text-anchor="middle" dominant-baseline="middle">${escapeXml(initials(name))}</text>`,
  );
}

const svg = (fill: string, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img"><rect width="96" height="96" rx="48" fill="${fill}"/>${inside}</svg>`;

/** A nameless person: a head and shoulders. */
const neutralSvg = svg(
  '#777',
  '<circle cx="48" cy="38" r="15" fill="#fff"/><path d="M20 80a28 24 0 0 1 56 0" fill="#fff"/>',
);

/** The initials of the first and the last word that have one. */
function initials(name: string): string {
  const letters = name.split(/\s+/u).flatMap((word) => initial(word) ?? []);
  return [letters[0] ?? '?', ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase('en');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first grapheme that is a letter, a number or a symbol such as an emoji. */
function initial(word: string): string | undefined {
  const graphemes = Array.from(segmenter.segment(word), ({ segment }) => segment);
  return graphemes.find((grapheme) => /^[\p{L}\p{N}\p{S}]/u.test(grapheme));
}

const escapeXml = (text: string) => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
