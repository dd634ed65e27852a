import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';

const configs = ['tsconfig.test.json', 'tsconfig.node.json'];
const project = new URL('../..', import.meta.url);
const checked = configs.flatMap((name) => JSON.parse(readFileSync(new URL(name, project), 'utf8')).include);

test('each test is type-checked', () => {
  const listed = execFileSync('git', ['ls-files', 'test'], { cwd: project, encoding: 'utf8' }).split('\n');
  const files = listed.filter((file) => file.endsWith('.ts'));
  const isChecked = (file: string) =>
    checked.some((one) => file.startsWith(`${one}/`) || matchesGlob(file, one));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !isChecked(file))).toEqual([]);
});
