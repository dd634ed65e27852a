import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../http/support/costs/report.ts';

let folder = '';
let stdout = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-route-costs-'));
  const options = ['--runtime', 'node', '--only', 'addMember', '--skip', 'crowds', '--out', folder];
  ({ stdout } = await promisify(execFile)('npm', ['run', '-s', 'cost', '--', '--routes', ...options]));
});
afterAll(() => rm(folder, { recursive: true }));

test('npm run cost -- --routes finds the dearest request of a route, and what others waited for', async () => {
  const report: Report = JSON.parse(await readFile(join(folder, 'node.json'), 'utf8'));
  const [found] = report.routes;
  expect(report.routes.map(({ route }) => route)).toEqual(['addMember']);
  expect(found?.requests).toBeGreaterThan(10);
  expect(found?.dearest.cpu).toBeGreaterThan(0);
  expect(found?.slowest.stall).toBeGreaterThan(0);
  expect(stdout).toContain('| addMember |');
  expect(await readFile(join(folder, 'node.md'), 'utf8')).toContain(found?.dearest.what);
});
