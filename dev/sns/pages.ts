import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const FILES = new Map([
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

/** The paths of the inbox page and its parts. */
export const PAGE_PATHS: Iterable<string> = [...FILES.keys()];

/** Sends the part of the inbox page that is at `path`. */
export async function sendPage(response: ServerResponse, path: string): Promise<void> {
  const { file, type } = FILES.get(path) ?? { file: 'index.html', type: 'text/html; charset=utf-8' };
  const content = await readFile(new URL(`./page/${file}`, import.meta.url));
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  response.end(content);
}
