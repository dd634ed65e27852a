import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { settingNames } from '../../src/config.ts';
import { isPublished } from '../../src/local-mode.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';

/* Secrets in the files of the repository are refused outside local mode, so none may be missing in the list of their hashes. */

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** The settings that docs/operators/operating.md calls secret. */
const secretNames = read('docs/operators/operating.md')
  .split('\n')
  .filter((line) => /^\| `[A-Z_]+` \|.*\bSecret\b/.test(line))
  .map((line) => line.split('`')[1] ?? '');

const files = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|json|md|service|ya?ml|html|toml|example)$|^Dockerfile$/.test(path))
  .filter((path) => !/package-lock\.json$/.test(path) && existsSync(join(project, path)));

test('the documents name the secrets', () => {
  expect(secretNames).toContain('PARTICIPANT_SIGNING_KEY');
  expect(secretNames.length).toBeGreaterThanOrEqual(8);
  expect(secretNames.filter((name) => !settingNames.includes(name))).toEqual([]);
});

describe('the hashes have', () => {
  test.each([
    ['.dev.vars.example', parseEnv(read('.dev.vars.example'))],
    ['tools/settings/defaults.ts', settingDefaults],
  ])('each secret of %s', (_, settings) => {
    const given = Object.entries(settings).filter(([name]) => secretNames.includes(name));
    expect(given.length).toBeGreaterThanOrEqual(6);
    // The name of the local key, `local`, is no secret.
    const missing = given.filter(([, value]) => !isPublished(String(value))).map(([name]) => name);
    expect(missing).toEqual(['AWS_ACCESS_KEY_ID']);
  });

  /** Keys by their form, wherever they stand; texts long enough for a setting, as values of its name. */
  const literals = files.flatMap((path) => {
    const text = read(path);
    const keys = text.match(/MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}/g) ?? [];
    const texts = text.matchAll(
      /(AUTH_SECRET|METRICS_TOKEN|VAPID_PRIVATE_KEY)['"]?\s*(?:=|:|: string =)\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`$\n]*)`|([\w+/-]{16,})$)/gm,
    );
    const values = [...texts].flatMap(([, name = '', ...groups]) => {
      const value = groups.find((group) => group !== undefined) ?? '';
      return value.length < (name === 'AUTH_SECRET' ? 32 : 16) ? [] : [value];
    });
    return [...keys, ...values].map((value) => ({ path, value }));
  });

  test('each key and secret that another file has', () => {
    expect(files.length).toBeGreaterThan(900);
    expect(new Set(literals.map(({ value }) => value)).size).toBeGreaterThan(5);
    expect(literals.filter(({ value }) => !isPublished(value))).toEqual([]);
  });
});

test('a key of one’s own is none of them, nor is a list of such keys', () => {
  const { AUDIT_SIGNING_KEY: known } = settingDefaults;
  const own = `MC4CAQAwBQYDK2VwBCIEI${'A'.repeat(43)}`;
  expect([own, `${own},${own}`, '', 'local mode'].map(isPublished)).toEqual([false, false, false, false]);
  for (const list of [`${own},${known}`, `["${own}", "${known}"]`, ` ${known} `])
    expect(isPublished(list), list).toBe(true);
});
