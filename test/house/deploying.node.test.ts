import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

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

  test('stands on the Node of the tests, on Debian, by one digest', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const base = new RegExp(`^node:${devDependencies.node}-slim@(sha256:[0-9a-f]{64})(?: AS \\w+)?$`);
    const digests = of('FROM').map((from) => base.exec(from)?.[1] ?? from);
    expect(digests).toHaveLength(3);
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toMatch(/^sha256:/);
    const stages = of('FROM').map((from) => / AS (\w+)$/.exec(from)?.[1]);
    for (const [, from] of read('Dockerfile').matchAll(/--from=(\S+)/g)) expect(stages).toContain(from);
  });

  test('asks nobody but npm, for what is locked', () => {
    expect(of('ADD')).toEqual([]);
    expect(of('RUN').join('\n')).not.toMatch(/https?:|curl|wget|git |npx|apt|npm (?:i|install|exec)\b/);
    expect(of('RUN').filter((command) => command.startsWith('npm'))).toEqual([
      'npm ci --omit=dev --ignore-scripts --no-audit --no-fund',
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
    expect(last.filter((line) => line.startsWith('COPY')).join('\n')).not.toContain('tools/');
  });

  test('runs as a user without rights, by signal and exec form, and says whether it is well', () => {
    const user = last.indexOf('USER node');
    expect(user).toBeGreaterThan(0);
    expect(last.slice(user).filter((line) => /^(?:RUN|COPY|USER root)/.test(line))).toEqual([]);
    expect(of('CMD')).toEqual(['["node", "src/node.ts"]']);
    expect(of('HEALTHCHECK')).toEqual([expect.stringContaining('/health`')]);
    expect(of('ENV').join()).not.toMatch(/SECRET|KEY|TOKEN/);
    expect(of('ARG')).toEqual([]);
  });
});

const workflows = globSync('.github/**/*.yml', { cwd: project }).filter((path) =>
  path.includes('workflows/'),
);

describe.each(workflows)('the workflow %s', (path) => {
  const text = read(path);

  test('pins each action by the hash of a commit, and says its version', () => {
    const uses = [...text.matchAll(/uses:.*/g)].map(([line]) => line);
    expect(uses.length).toBeGreaterThan(0);
    const pinned = /^uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
    // A container would be one more image.
    expect(text).not.toMatch(/^\s*(?:container:|image: \S)|docker:\/\//m);
  });

  test('grants nothing at large, and runs nobody’s code with more than the right to read', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    expect(text).not.toMatch(/pull_request_target|workflow_run|write-all/);
    if (/^ {2}pull_request:/m.test(text)) expect(text).not.toMatch(/: write$|secrets\./m);
  });

  test('keeps no credentials in the working tree', () => {
    const checkouts = text.match(/actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
  });
});

test('each pull request is checked as a release is; packages are audited each day, and updates proposed', () => {
  expect(read('.github/workflows/check.yml')).toMatch(/^ {2}pull_request:[\s\S]*run: bash \.ci\/run$/m);
  const audit = read('.github/workflows/audit.yml');
  expect(audit).toMatch(
    /^ {2}schedule:[\s\S]*^ {2}pull_request:[\s\S]*run: npm audit --omit=dev --audit-level=high$/m,
  );
  const updates = [...read('.github/dependabot.yml').matchAll(/package-ecosystem: (\S+)/g)].map(
    ([, one]) => one,
  );
  expect(updates.sort()).toEqual(['docker', 'github-actions', 'npm']);
});

test('a release lets no job that runs packages sign or publish, and names scripts that exist', () => {
  const text = read('.github/workflows/release.yml');
  const jobs = text.split(/^ {2}(?=\w+:\n)/m).slice(1);
  const runsPackages = jobs.filter((job) => /npm |\.ci\/run/.test(job));
  expect(runsPackages.length).toBeGreaterThan(1);
  for (const job of runsPackages)
    expect(job.match(/^ {6}[\w-]+: (?:read|write)$/gm)).toEqual(['      contents: read']);
  expect(text.match(/attest-build-provenance@/g)).toHaveLength(2);
  const { scripts } = JSON.parse(read('package.json'));
  for (const [, name = ''] of text.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(name);
});
