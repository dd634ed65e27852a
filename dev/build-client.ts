import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/*
 * Builds `fieldbell/client`: JavaScript of the three files that run, and declarations of everything that types them, so
 * that its users need not compile the server.
 */
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
execFileSync('tsc', ['-p', 'tsconfig.client.json'], { stdio: 'inherit' });
for (const name of ['client', 'client-fetch', 'retry']) {
  const code = stripTypeScriptTypes(readFileSync(`src/${name}.ts`, 'utf8'));
  writeFileSync(`dist/${name}.js`, code.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}
