import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH, or null. */
export function onPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
