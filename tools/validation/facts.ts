import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '../../src/schedule/tzdata.ts';

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
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

const versionOf = (project: string, name: string): string =>
  JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')).version;

/** The commit, and the versions of the packages that matter. */
export function readVersions(project: string) {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return {
    fieldbell: version as string,
    commit: run(project, 'git', ['rev-parse', 'HEAD']),
    changed: run(project, 'git', ['status', '--porcelain']) !== '',
    packages: {
      node: process.versions.node,
      sqlite: process.versions.sqlite ?? 'unknown',
      ...Object.fromEntries(
        ['deno', 'workerd', 'wrangler', 'hono', 'vitest', 'typescript'].map((name) => [
          name,
          versionOf(project, name),
        ]),
      ),
      'time zone rules': release,
    },
  };
}

export type Versions = ReturnType<typeof readVersions>;

/** All locked packages as CycloneDX, which marks those of developers. */
export const sbom = (project: string): string =>
  run(project, 'npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);

/** The licence of every locked package. Of a platform's package that is not installed, as the lock says. */
export function licences(project: string): Licence[] {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const ofPages = importedBy(project, '{console,participant}/**/*.{ts,tsx}');
  const useOf = (name: string, { dev, devOptional }: Locked) => {
    if (!dev && !devOptional) return 'service';
    return ofPages.has(name) ? 'pages' : 'development';
  };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]): Licence => {
      const name = path.replace(/^.*node_modules\//, '');
      const licence = locked.license ?? installedLicence(join(project, path));
      return { name, version: locked.version ?? '', licence, use: useOf(name, locked) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names of the packages that files import. */
function importedBy(project: string, pattern: string): Set<string> {
  const texts = globSync(pattern, { cwd: project }).map((path) => readFileSync(join(project, path), 'utf8'));
  const imports = texts.flatMap((text) => [...text.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)/g)]);
  return new Set(imports.map(([, name = '']) => name));
}

function installedLicence(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return 'unknown';
  const { license } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof license === 'string' ? license : (license?.type ?? 'unknown');
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
export function hashes(project: string): { build: string; files: { path: string; sha256: string }[] }[] {
  const { version } = JSON.parse(readFileSync(join(project, 'client/package.json'), 'utf8'));
  return Object.entries(builds(version)).map(([build, pattern]) => ({
    build,
    files: globSync(pattern, { cwd: project })
      .filter((path) => statSync(join(project, path)).isFile())
      .sort()
      .map((path) => ({
        path,
        sha256: createHash('sha256')
          .update(readFileSync(join(project, path)))
          .digest('hex'),
      })),
  }));
}

export interface Drill {
  state: 'done' | 'failed' | 'not done';
  /** The text that the drill printed, or the reason. */
  output: string;
}

/** The result of `npm run restore-drill -- --json` for the database that the environment names; not done without one. */
export function restoreDrill(project: string): Drill {
  try {
    return {
      state: 'done',
      output: run(project, 'npm', ['run', '--silent', 'restore-drill', '--', '--json']),
    };
  } catch (error) {
    const { status, stdout, stderr } = error as { status?: number; stdout?: string; stderr?: string };
    return {
      state: status === notRun ? 'not done' : 'failed',
      output: `${stdout ?? ''}${stderr ?? ''}`.trim(),
    };
  }
}

/** The exit status of a drill that found no database. */
const notRun = 2;
