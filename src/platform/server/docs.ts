import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../../public', import.meta.url));
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const files: Record<string, { folder: string; name: string; type: string }> = {
  '/docs/': { folder: join(page, 'docs'), name: 'index.html', type: 'text/html; charset=utf-8' },
  '/docs/show.js': { folder: join(page, 'docs'), name: 'show.js', type: 'text/javascript; charset=utf-8' },
  '/docs/swagger-ui.css': { folder: swagger, name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  '/docs/swagger-ui-bundle.js': {
    folder: swagger,
    name: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
  '/docs/favicon-32x32.png': { folder: swagger, name: 'favicon-32x32.png', type: 'image/png' },
};

/** Serves the page of the API, as Cloudflare's static assets do for the Worker, and leaves the rest to `fetch`. */
export function withDocs<Rest extends unknown[]>(
  fetch: (request: Request, ...rest: Rest) => Response | Promise<Response>,
) {
  return async (request: Request, ...rest: Rest): Promise<Response> => {
    const file = /^(?:GET|HEAD)$/.test(request.method) ? files[new URL(request.url).pathname] : undefined;
    if (!file) return fetch(request, ...rest);
    const [content, headers] = await Promise.all([readFile(join(file.folder, file.name)), pageHeaders()]);
    headers.set('content-type', file.type);
    return new Response(request.method === 'HEAD' ? null : content, { headers });
  };
}

/** The headers that Cloudflare gives them: `public/_headers` has one path, whose lines are indented. */
async function pageHeaders(): Promise<Headers> {
  const text = await readFile(join(page, '_headers'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('  '));
  return new Headers(lines.map((line) => line.trim().split(/:\s(.*)/, 2) as [string, string]));
}
