import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '../../src/schedule/tzdata.ts';

/** A bill of materials (CycloneDX), as far as it is read. */
interface Bill {
  components: {
    name: string;
    version: string;
    licenses: { license?: { id?: string; name?: string }; expression?: string }[];
    properties: { name: string }[];
  }[];
}

export interface Licence {
  name: string;
  version: string;
  licence: string;
  /** Whether the running service has it, its pages were made of it, or only its developers have it. */
  use: 'service' | 'pages' | 'development';
}

const run = (project: string, command: string, args: string[]) =>
  execFileSync(command, args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();

const versionOf = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/** The commit, and the versions of the packages that matter. */
export const readVersions = (project: string) => ({
  fieldbell: versionOf(project),
  commit: run(project, 'git', ['rev-parse', 'HEAD']),
  changed: run(project, 'git', ['status', '--porcelain']) !== '',
  packages: {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? 'unknown',
    ...Object.fromEntries(
      ['deno', 'workerd', 'wrangler', 'hono', 'vitest', 'typescript'].map((name) => [
        name,
        versionOf(join(project, 'node_modules', name)),
      ]),
    ),
    'time zone rules': release,
  },
});

/** All locked packages as CycloneDX, which marks those of developers. */
export const sbom = (project: string): string =>
  run(project, 'npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);

/** The licence of every package in a bill of materials. */
export function licences(project: string, bill: string): Licence[] {
  const sources = globSync('{console,participant}/**/*.{ts,tsx}', { cwd: project });
  const texts = sources.map((path) => readFileSync(join(project, path), 'utf8'));
  const isOfPages = (name: string) =>
    texts.some((text) => new RegExp(`(?:from|import) '${name}['/]`).test(text));
  return (JSON.parse(bill) as Bill).components
    .map(({ name, version, licenses: [given], properties }): Licence => {
      const licence = given?.expression ?? given?.license?.id ?? given?.license?.name ?? 'unknown';
      const isForDevelopers = properties.some((property) => property.name === 'cdx:npm:package:development');
      const use = !isForDevelopers ? 'service' : isOfPages(name) ? 'pages' : 'development';
      return { name, version, licence, use };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Files that are built, or shipped as they are. */
const builds = (clientVersion: string) => ({
  'the Worker': 'dist/worker/**/*',
  'the client': `dist/fieldbell-client-${clientVersion}.tgz`,
  'the console': 'public/console/**/*',
  'the participants’ page': 'public/p/**/*',
  'the migrations': 'migrations/*.sql',
  'the locked packages': 'package-lock.json',
});

/** Hashes of the files of each build; none where it was not built. */
export const hashes = (project: string): { build: string; files: { path: string; sha256: string }[] }[] =>
  Object.entries(builds(versionOf(join(project, 'client')))).map(([build, pattern]) => ({
    build,
    files: globSync(pattern, { cwd: project })
      .filter((path) => statSync(join(project, path)).isFile())
      .sort()
      .map((path) => {
        const content = readFileSync(join(project, path));
        return { path, sha256: createHash('sha256').update(content).digest('hex') };
      }),
  }));

export interface Drill {
  state: 'done' | 'failed' | 'not done';
  /** The text that the drill printed, or the reason. */
  output: string;
}

/** The result of `npm run restore-drill -- --json` for the database that the environment names; not done without one. */
export function restoreDrill(project: string): Drill {
  try {
    const output = run(project, 'npm', ['run', '--silent', 'restore-drill', '--', '--json']);
    return { state: 'done', output };
  } catch (error) {
    const {
      status,
      stdout = '',
      stderr = '',
    } = error as { status?: number; stdout?: string; stderr?: string };
    return { state: status === notRun ? 'not done' : 'failed', output: `${stdout}${stderr}`.trim() };
  }
}

/** The exit status of a drill that found no database. */
const notRun = 2;
