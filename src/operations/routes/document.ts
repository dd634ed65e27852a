import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { RouterRoute } from 'hono/types';
import * as z from 'zod';
import type { Env } from '../../http/context.ts';
import { documentOf } from '../../http/openapi/document.ts';
import { documented, json } from '../../http/openapi/documented.ts';

const tag = 'Operations';

/** The OpenAPI document, from the first request on, and the page that shows it. */
export function createDocument(routes: () => RouterRoute[]) {
  let document: Promise<string> | undefined;
  return new Hono<Env>()
    .get(
      '/openapi.json',
      documented({
        id: 'openapi',
        tag,
        summary: 'This document',
        access: 'open',
        answers: {
          200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() }), { openapi: '3.1.1' }, [
            'ETag',
            'Cache-Control',
          ]),
          304: {
            description: 'The document is the one that `If-None-Match` names.',
            headers: ['ETag', 'Cache-Control'],
          },
        },
      }),
      etag(),
      async (c) => {
        document ??= documentOf(routes());
        return c.body(await document, 200, {
          'content-type': 'application/json',
          'cache-control': 'public, max-age=300',
        });
      },
    )
    .get(
      '/docs',
      documented({
        id: 'docs',
        tag,
        summary: 'Shows this document to people',
        access: 'open',
        answers: { 307: { description: 'The page is at `/docs/`.', headers: ['Location'] } },
      }),
      (c) => c.redirect('/docs/', 307),
    );
}
