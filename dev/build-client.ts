import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Packs the typed client as `dist/fieldbell-<version>.tgz`: JavaScript of the files that run, and their declarations, in
 * which tsc writes out the types of every route. So its users need neither this repository nor the server's packages.
 */
const compiled = 'dist/compiled';
const target = 'dist/client';
const localImport = /((?:from|import\() ?['"]\.\/)([\w-]+)\.(?:ts|js)(?=['"])/g;

/** Copies a file and its local imports. */
function copyWithImports(name: string, extension: '.js' | '.d.ts', done = new Set<string>()) {
  if (done.has(name)) return;
  done.add(name);
  const text = readFileSync(join(compiled, name + extension), 'utf8');
  writeFileSync(join(target, name + extension), text.replaceAll(localImport, '$1$2.js'));
  for (const [, , imported = ''] of text.matchAll(localImport)) copyWithImports(imported, extension, done);
}

function describePackage() {
  const { name, version, license, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return {
    name,
    version,
    description: 'The typed client of Fieldbell',
    license,
    type: 'module',
    exports: { './client': { types: './client.d.ts', default: './client.js' } },
    dependencies: { hono: `^${dependencies.hono}` },
  };
}

rmSync('dist', { recursive: true, force: true });
mkdirSync(target, { recursive: true });
execFileSync('tsc', ['-p', 'tsconfig.client.json', '--outDir', compiled], { stdio: 'inherit' });
copyWithImports('client', '.js');
copyWithImports('client', '.d.ts');
rmSync(compiled, { recursive: true });
writeFileSync(join(target, 'package.json'), JSON.stringify(describePackage(), null, 2));
copyFileSync('LICENSE', join(target, 'LICENSE'));
const pack = ['pack', '--silent', '--pack-destination', '..'];
const file = execFileSync('npm', pack, { cwd: target, encoding: 'utf8' }).trim();
console.log(`npm install ./dist/${file}`);
