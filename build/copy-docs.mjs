// Puts Swagger UI beside the page that uses it, for Cloudflare's static assets. Wrangler runs it before it bundles
// (`[build]` in wrangler.toml), on whatever Node runs wrangler, hence no TypeScript.
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const to = fileURLToPath(new URL('../public/docs', import.meta.url));

for (const name of [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png',
]) {
  const [source, target] = [join(from, name), join(to, name)];
  // Wrangler watches the folder, so files that are there already are left alone.
  if (existsSync(target) && statSync(target).size === statSync(source).size) continue;
  copyFileSync(source, target);
}
