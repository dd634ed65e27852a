import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH, or null. */
export function onPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The folder of PostgreSQL's programs: on the PATH, or the newest of Debian's. */
export function postgresFolder(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((one) => join(debian, one, 'bin')),
  ];
  const complete = (folder: string) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
  return folders.filter((folder) => folder !== '').find(complete) ?? null;
}
