// Builds the study console into public/console, for every runtime. Wrangler runs it before it bundles (`[build]` in
// wrangler.toml), on whatever Node runs wrangler, hence no TypeScript.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeIfNew, writeWhole } from './write-whole.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/console');
const target = join(root, 'public/console');
const assets = join(target, 'assets');

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(source, 'main.tsx'), join(source, 'main.css'), join(source, 'bell.svg')],
  outdir: assets,
  outbase: source,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  write: false,
});

const addressOf = (path) => `/console/assets/${basename(path)}`;

/** The output of an entry. */
const outputOf = (entry) => {
  const isOf = ([path, { entryPoint }]) =>
    (entryPoint ?? '').endsWith(`src/console/${entry}`) || basename(path).startsWith(`${entry}-`);
  const [path, output] = Object.entries(metafile.outputs).find(isOf) ?? [];
  if (!path) throw new Error(`the build has no ${entry}`);
  return { address: addressOf(path), imports: output.imports };
};

const main = outputOf('main.tsx');
/** Imports of the first script are fetched beside it, rather than after it. */
const preloads = main.imports
  .filter(({ kind }) => kind === 'import-statement')
  .map(({ path }) => `<link rel="modulepreload" href="${addressOf(path)}">`);

const page = readFileSync(join(source, 'index.html'), 'utf8')
  .replace('%main.js%', main.address)
  .replace('%main.css%', outputOf('main.css').address)
  .replace('%bell.svg%', outputOf('bell.svg').address)
  .replace('%preloads%', preloads.join('\n    '));

// Several builds may run at once, and wrangler watches the folder: each file is written whole, and only if it is new.
mkdirSync(assets, { recursive: true });
const present = new Set(readdirSync(assets));
for (const { path, contents } of outputFiles) {
  if (!present.delete(basename(path))) writeWhole(path, contents);
}
writeIfNew(join(target, 'index.html'), page);
for (const old of present) if (!old.endsWith('.tmp')) rmSync(join(assets, old), { force: true });
