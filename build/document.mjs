// Writes the API document that the Worker serves into public/openapi.json; servers make theirs at the first request. Wrangler
// runs it before it bundles (`[build]` in wrangler.toml), on whatever Node runs wrangler, hence no TypeScript.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeIfNew } from './write-whole.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache');
const program = join(folder, `document-${process.pid}.mjs`);

mkdirSync(folder, { recursive: true });
try {
  await build({
    stdin: {
      contents: `
        import { createApp } from './src/app.ts';
        import { documentOf } from './src/http/openapi/document.ts';
        const auth = { issuer: 'none', audience: 'none', keys: { secret: '0'.repeat(32) } };
        export const document = () => documentOf(createApp({}, { auth }).routes);`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const { document } = await import(pathToFileURL(program).href);
  writeIfNew(join(root, 'public/openapi.json'), await document());
} finally {
  rmSync(program, { force: true });
}
