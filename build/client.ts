import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

/*
 * Builds `client/dist`, which `npm pack` packs: one JavaScript file, and declarations in which tsc writes out the types of
 * every route. The parts of Hono
 * that they need come along, so its users need neither this repository nor another package.
 */
const project = join(import.meta.dirname, '..');
const compiled = join(project, '.cache/client');
const target = join(project, 'client/dist');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** Imports of this project's own files in a declaration. */
const localImport = /(from ['"])(\.{1,2}\/(?:[\w-]+\/)*[\w-]+)\.(?:ts|js)(?=['"])/g;
/** The types of Hono, by the name that `client/requests.d.ts` has for all of them. */
const ofHono = /(["'])hono\/(?:client|utils\/http-status|utils\/types)\1/g;

/** Copies a declaration and what it imports into one folder. */
function copyDeclarations(path: string, done = new Set<string>()) {
  if (done.has(path)) return;
  done.add(path);
  const text = readFileSync(join(compiled, `${path}.d.ts`), 'utf8');
  const flat = text.replaceAll(localImport, (_, from, imported) => `${from}./${basename(imported)}.js`);
  writeFileSync(join(target, `${basename(path)}.d.ts`), flat.replaceAll(ofHono, '$1./requests.js$1'));
  for (const [, , imported = ''] of text.matchAll(localImport))
    copyDeclarations(join(dirname(path), imported), done);
}

for (const folder of [compiled, target]) rmSync(folder, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
mkdirSync(join(project, 'dist'), { recursive: true });
execFileSync(
  'tsc',
  ['-p', join(project, 'client/tsconfig.build.json'), '--outDir', compiled, '--emitDeclarationOnly'],
  {
    stdio: 'inherit',
  },
);
copyDeclarations('client/client');
rmSync(compiled, { recursive: true });
const statusCodes = read('node_modules/hono/dist/types/utils/http-status.d.ts');
writeFileSync(join(target, 'requests.d.ts'), `${statusCodes}\n${read('client/requests.d.ts')}`);
buildSync({
  absWorkingDir: project,
  entryPoints: ['client/client.ts'],
  outfile: join(target, 'client.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
writeFileSync(
  join(project, 'client/LICENSE'),
  `${read('LICENSE')}\nParts of Hono (https://hono.tools) are in this package:\n\n${read('node_modules/hono/LICENSE')}`,
);
