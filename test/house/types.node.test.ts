import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const tsc = join(project, 'node_modules/.bin/tsc');
const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: project, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Generated, or the users' own: their programs are not of this project. */
const elsewhere = /^(examples\/phone\/|bench\/)/;

test('each TypeScript file of the project is checked by a program that `npm run types` builds', () => {
  const { references } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
  const checked = new Set(
    references.flatMap(({ path }: { path: string }) =>
      run(tsc, ['-p', path, '--listFilesOnly']).map((file) => file.replace(`${project}/`, '')),
    ),
  );
  const files = run('git', ['ls-files', '*.ts', '*.tsx']).filter((file) => existsSync(join(project, file)));
  expect(files.length).toBeGreaterThan(1000);
  expect(files.filter((file) => !checked.has(file) && !elsewhere.test(file))).toEqual([]);
});
