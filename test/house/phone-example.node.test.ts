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
  const { dependencies, devDependencies } = JSON.parse(read('examples/phone/package.json'));
  const asked: Record<string, string> = { ...dependencies, ...devDependencies };

  test('names exact versions, and the client that build:client packs', () => {
    const { name, version } = JSON.parse(read('client/package.json'));
    const { [name]: client, ...packages } = asked;
    expect(client).toBe(`file:../../dist/fieldbell-client-${version}.tgz`);
    expect(Object.keys(packages).length).toBeGreaterThan(5);
    expect(Object.values(packages).filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  test('keeps its logic apart from Expo, so that it is tested without', () => {
    const logic = files.filter((file) => file.startsWith('examples/phone/logic/'));
    const imports = logic.flatMap((file) =>
      [...read(file).matchAll(/from '([^']+)'/g)].map(([, from]) => from),
    );
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((from) => from !== '@fieldbell/client' && !from?.startsWith('./'))).toEqual([]);
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
