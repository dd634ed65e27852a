import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

/** A file of the inbox page and its media type. */
type Page = { file: string; type: string };

/** The inbox page and its parts, by path. */
export const PAGES: ReadonlyMap<string, Page> = new Map([
  ['/', { file: 'index.html', type: 'text/html; charset=utf-8' }],
  ['/inbox.css', { file: 'inbox.css', type: 'text/css; charset=utf-8' }],
  ['/phone.css', { file: 'phone.css', type: 'text/css; charset=utf-8' }],
  ['/inbox.js', { file: 'inbox.js', type: 'text/javascript; charset=utf-8' }],
  ['/phones.js', { file: 'phones.js', type: 'text/javascript; charset=utf-8' }],
  ['/notifications.js', { file: 'notifications.js', type: 'text/javascript; charset=utf-8' }],
  ['/bell.svg', { file: 'bell.svg', type: 'image/svg+xml' }],
]);
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a part of the page. The policy keeps it from loading or running anything that is not its own. */
export async function sendPage(response: ServerResponse, { file, type }: Page): Promise<void> {
  const content = await readFile(join(import.meta.dirname, 'page', file));
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  response.end(content);
}
