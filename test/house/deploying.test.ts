import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

describe('docs/deploying.md', () => {
  test('has two pages at most', () => {
    expect(read('docs/deploying.md').split(/\s+/).length).toBeLessThan(1100);
  });
});

describe('the Dockerfile', () => {
  /** Instructions, one a line, without comments. */
  const instructions = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
  const of = (name: string) =>
    instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  test('stands on a release of Node with a number, the one of the tests, on Debian', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const [major] = devDependencies.node.split('.');
    for (const from of of('FROM')) expect(from).toMatch(new RegExp(`^node:${major}-slim(?: AS \\w+)?$`));
  });

  test('asks nobody but npm, for what is locked', () => {
    expect(of('ADD')).toEqual([]);
    expect(of('RUN').join('\n')).not.toMatch(/https?:|curl|wget|git |npx|apt|npm (?:i|install|exec)\b/);
    expect(of('RUN').filter((command) => command.startsWith('npm'))).toEqual([
      'npm ci --omit=dev --no-audit --no-fund',
      'npm ci --no-audit --no-fund --ignore-scripts',
    ]);
  });

  test('copies named files only, which the context has, and neither tests, tools nor the history', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    const copied = of('COPY')
      .filter((args) => !args.startsWith('--from'))
      .flatMap((args) => args.split(' ').slice(0, -1));
    expect([...new Set(copied)].sort()).toEqual([...kept].sort());
    for (const path of copied) expect(globSync(path, { cwd: project }), path).not.toEqual([]);
    expect(kept.filter((path) => /^(?:\.|test|bench|docs|examples)/.test(path))).toEqual([]);
    expect(last.filter((line) => line.startsWith('COPY')).join('\n')).not.toContain('dev/');
  });

  test('runs as a user without rights, by signal and exec form, and says whether it is well', () => {
    const user = last.indexOf('USER node');
    expect(user).toBeGreaterThan(0);
    expect(last.slice(user).filter((line) => /^(?:RUN|COPY|USER root)/.test(line))).toEqual([]);
    expect(of('CMD')).toEqual(['["node", "src/node.ts"]']);
    expect(of('HEALTHCHECK')).toHaveLength(1);
    expect(of('ENV').join()).not.toMatch(/SECRET|KEY|TOKEN/);
    expect(of('ARG')).toEqual([]);
  });
});

describe('the workflow of a release', () => {
  const text = read('.github/workflows/release.yml');

  test('pins each action by its version', () => {
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(8);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('grants nothing at large, and lets no job that runs packages sign or publish', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    const jobs = text.split(/^ {2}(?=\w+:\n)/m).slice(1);
    const rights = (job: string) =>
      [...job.matchAll(/^ {6}([\w-]+: (?:read|write))$/gm)].map(([, right]) => right);
    const runsPackages = jobs.filter((job) => /npm |\.ci\/run/.test(job));
    expect(runsPackages.length).toBeGreaterThan(1);
    for (const job of runsPackages) expect(rights(job)).toEqual(['contents: read']);
    expect(text.match(/attest-build-provenance@/g)).toHaveLength(2);
  });

  test('names scripts and files that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name = ''] of text.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(name);
    for (const path of ['.ci/run', 'client/package.json', 'CHANGELOG.md'])
      expect([text.includes(path), existsSync(join(project, path))], path).toEqual([true, true]);
  });
});
