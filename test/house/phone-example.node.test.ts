import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pushPayload } from '../../src/push/sns/payloads.ts';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const files = execFileSync('git', ['ls-files', 'examples/phone'], { cwd: project, encoding: 'utf8' })
  .trim()
  .split('\n');

describe('examples/phone', () => {
  const { dependencies, devDependencies, scripts } = JSON.parse(read('examples/phone/package.json'));
  const asked: Record<string, string> = { ...dependencies, ...devDependencies };

  test('names exact versions, and the client that build:client packs', () => {
    const { name, version } = JSON.parse(read('client/package.json'));
    const { [name]: client, ...packages } = asked;
    expect(client).toBe(`file:../../dist/fieldbell-client-${version}.tgz`);
    expect(Object.keys(packages).length).toBeGreaterThan(5);
    expect(Object.values(packages).filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  test('is not installed by npm ci of the project', () => {
    expect(JSON.parse(read('package.json')).workspaces).toBeUndefined();
    const locked = Object.keys(JSON.parse(read('package-lock.json')).packages);
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter((path) => /examples\/|node_modules\/(?:expo|react-native)$/.test(path))).toEqual([]);
  });

  test('keeps its logic apart from Expo, so that it is tested without', () => {
    const logic = files.filter((file) => file.startsWith('examples/phone/logic/'));
    const imports = logic.flatMap((file) =>
      [...read(file).matchAll(/from '([^']+)'/g)].map(([, from]) => from),
    );
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((from) => from !== '@fieldbell/client' && !from?.startsWith('./'))).toEqual([]);
  });

  test('has a README that names functions and commands that exist', () => {
    const readme = read('examples/phone/README.md');
    const sources = files
      .filter((file) => !file.endsWith('README.md'))
      .map(read)
      .join('\n');
    const names = [...readme.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !sources.includes(name))).toEqual([]);
    const own = [...readme.matchAll(/`npm run (\w+)` here/g)].map(([, name = '']) => name);
    expect(own).toEqual(['types', 'bundle']);
    expect(own.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test.each(['expo/system.ts', 'swift/Reminders.swift'])(
  'the actions of examples/phone/%s are those of the category of a push',
  (file) => {
    const { message } = pushPayload({
      endpoint: 'arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/fieldbell/1',
      title: 'Diary',
      body: 'How was your day?',
      data: { survey: '1', investigation: '2', notification: '3' },
      collapseId: '3',
      ttlSeconds: 60,
    });
    const { category, 'mutable-content': wakes } = JSON.parse(JSON.parse(message).APNS).aps;
    expect(wakes).toBe(1);
    expect(read(`examples/phone/${file}`)).toMatch(new RegExp(`['"]${category}['"]`));
  },
);
