// Runs a program of this project as one file, because Node takes seconds to find, read and strip hundreds of modules.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './bundle-page.mjs';

/** Imports what `input` (`entryPoints` or `stdin`) bundles to. */
export async function importBundled(input) {
  // As deep as `src/platform/server`, which looks for files from its place.
  const folder = join(root, '.cache/bundled', String(process.pid));
  const outfile = join(folder, 'program.mjs');
  try {
    await build({
      ...input,
      absWorkingDir: root,
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
