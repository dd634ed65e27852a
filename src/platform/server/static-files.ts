import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Page } from '../../services.ts';

const folder = fileURLToPath(new URL('../../../public', import.meta.url));
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

const docs: Record<string, string> = {
  '/docs/': join(folder, 'docs/index.html'),
  '/docs/show.js': join(folder, 'docs/show.js'),
  '/docs/swagger-ui.css': join(swagger, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(swagger, 'swagger-ui-bundle.js'),
  '/docs/favicon-32x32.png': join(swagger, 'favicon-32x32.png'),
};

/** The file of a path. Files that the build is still writing begin with a dot, and are not served. */
export const fileAt = (path: string): string | undefined =>
  /^\/(?:(?:console|p)\/assets\/[\w-]+(?:\.[\w-]+)+|p\/sw\.js)$/.test(path) ? join(folder, path) : docs[path];

/** Serves the files of `public`, as Cloudflare's static assets do for the Worker, and passes other requests to `fetch`. */
export function withStaticFiles<Rest extends unknown[]>(
  fetch: (request: Request, ...rest: Rest) => Response | Promise<Response>,
) {
  return async (request: Request, ...rest: Rest): Promise<Response> => {
    const path = /^(?:GET|HEAD)$/.test(request.method) ? new URL(request.url).pathname : '';
    const file = fileAt(path);
    const content = file && (await readIfThere(file));
    if (!content) return fetch(request, ...rest);
    const headers = await headersOf(path);
    headers.set('content-type', types[extname(file)] ?? 'application/octet-stream');
    headers.set('vary', 'accept-encoding');
    const zips = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    if (zips) headers.set('content-encoding', 'gzip');
    const body = request.method === 'HEAD' ? null : zips ? await zipped(file, content) : content;
    return new Response(body, { headers });
  };
}

/** The page of a folder; null if it was not built (`npm run build:console`). */
export const readPage = async (of: Page) =>
  (await readIfThere(join(folder, of, 'index.html')))?.toString() ?? null;

async function readIfThere(file: string) {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
}

const zippedFiles = new Map<string, Promise<Buffer<ArrayBuffer>>>();

/** Reads each file once: files do not change while the service runs. */
function zipped(file: string, content: Buffer) {
  const known = zippedFiles.get(file) ?? promisify(gzip)(content);
  zippedFiles.set(file, known);
  return known;
}

/** The same headers as on Cloudflare: in `public/_headers` those of a pattern are indented below it. */
async function headersOf(path: string): Promise<Headers> {
  const lines = (await readFile(join(folder, '_headers'), 'utf8')).split('\n');
  const headers = new Headers();
  let applies = false;
  for (const line of lines) {
    if (line.startsWith('/')) applies = path.startsWith(line.replace(/\*$/, ''));
    else if (applies && line.trim()) {
      const [name = '', value = ''] = line.trim().split(/:\s(.*)/, 2);
      headers.set(name, value);
    }
  }
  return headers;
}
