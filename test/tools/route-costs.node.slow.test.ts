import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDocument } from '../contract/document.ts';
import { longBodies, placesOfTexts } from '../http/support/costs/long-texts.ts';
import type { Report } from '../http/support/costs/report.ts';
import { routesOf } from '../http/support/fuzz/requests.ts';

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

test('each text of each body gets each long text, at any depth', async () => {
  const { document } = await readDocument();
  const routes = routesOf(document);
  const places = (id: string) => {
    const route = routes.find(({ operation }) => operation.operationId === id);
    const schema = route?.operation.requestBody?.content['application/json']?.schema ?? {};
    return placesOfTexts(schema).map((place) => place.join('/'));
  };
  expect(places('addMember')).toEqual(expect.arrayContaining(['email', 'code', 'user']));
  expect(places('createSurvey')).toEqual(
    expect.arrayContaining([
      'name',
      'items/0/label',
      'reminders/notification/body',
      'reminders/translations/q1/body',
    ]),
  );
  expect(places('createResponse')).toContain('items/q1');
  expect(routes.flatMap((route) => longBodies(route, { one: 'x' })).length).toBeGreaterThan(100);
});
