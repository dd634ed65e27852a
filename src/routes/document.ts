import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { RouterRoute } from 'hono/types';
import type { Env } from '../http/context.ts';
import { openApiOf } from '../http/openapi/document.ts';
import * as docs from './docs/operations.ts';

/** The OpenAPI document, made when it is first asked for, and where the page is that shows it. */
export function createDocument(routes: () => RouterRoute[]) {
  let document: Promise<string> | undefined;
  return new Hono<Env>()
    .get('/openapi.json', docs.openapi, etag(), async (c) => {
      document ??= openApiOf(routes()).then((made) => JSON.stringify(made));
      return c.body(await document, 200, {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=300',
      });
    })
    .get('/docs', docs.docs, (c) => c.redirect('/docs/', 307))
    .get('/', docs.home, (c) => c.redirect('/docs/', 307));
}
