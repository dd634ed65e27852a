// Bundles the files of a page into a folder of `public`, for the builds of the study console and of the participants' page.
// Wrangler runs them on whatever Node it has, hence no TypeScript.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeWhole } from './write-whole.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Options of every bundle. */
export const options = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  write: false,
};

/**
 * Bundles entries of `source` into `<target>/assets`, under names with a hash. Several builds may run at once, and wrangler
 * watches the folder: each file is written whole, and only if it is new; `extra` are files that the page's own build makes.
 */
export async function bundlePage({ source, target, entries, extra = [] }) {
  const assets = join(target, 'assets');
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: entries.map((entry) => join(source, entry)),
    outdir: assets,
    outbase: source,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    splitting: true,
    metafile: true,
  });
  const addressOf = (path) => `/${basename(target)}/assets/${basename(path)}`;

  mkdirSync(assets, { recursive: true });
  const present = new Set(readdirSync(assets));
  const files = [
    ...outputFiles,
    ...extra.map(({ name, contents }) => ({ path: join(assets, name), contents })),
  ];
  for (const { path, contents } of files) if (!present.delete(basename(path))) writeWhole(path, contents);
  for (const old of present) if (!old.endsWith('.tmp')) rmSync(join(assets, old), { force: true });

  return {
    addresses: files.map(({ path }) => addressOf(path)),
    /** The output of an entry, with the addresses of the files that it imports at once. */
    outputOf(entry) {
      const isOf = ([path, { entryPoint }]) =>
        (entryPoint ?? '').endsWith(`/${entry}`) || basename(path).startsWith(`${entry}-`);
      const [path, output] = Object.entries(metafile.outputs).find(isOf) ?? [];
      if (!path) throw new Error(`the build has no ${entry}`);
      const imports = output.imports.filter(({ kind }) => kind === 'import-statement');
      return { address: addressOf(path), imports: imports.map((one) => addressOf(one.path)) };
    },
  };
}

/** Imports of the first script are fetched beside it, rather than after it. */
export const preloads = ({ imports }) =>
  imports.map((address) => `<link rel="modulepreload" href="${address}">`).join('\n    ');
