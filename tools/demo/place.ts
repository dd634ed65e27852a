import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Settings } from '../settings/settings.ts';
import { findD1File } from '../start/phone-owners.ts';
import { startScript } from '../worker/wrangler.ts';

/** Whether no database is in the state folder of `wrangler dev` yet. */
export function isNew(stateFolder: string): boolean {
  try {
    findD1File(stateFolder);
    return false;
  } catch {
    return true;
  }
}

/**
 * Makes the demo studies in a file of their own, in a process of its own. Resolves with the file, or with null if that
 * failed, which the terminal then says: the service is useful without them.
 */
export async function makeDemos(
  stateFolder: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<string | null> {
  const file = join(stateFolder, 'demo.db');
  const script = join(import.meta.dirname, 'main.ts');
  const { child, exited, end } = startScript(script, [file], stateFolder, settings);
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  const [{ code }, errors] = await Promise.all([exited, child.stderr ? text(child.stderr) : '']);
  signal.removeEventListener('abort', stop);
  if (code === 0) return file;
  if (!signal.aborted) console.error(`The demo studies were not made: ${errors.trim().slice(0, 500)}`);
  return null;
}

/** Puts the made studies where the local D1 has its database. */
export async function placeDemos(demos: Promise<string | null> | undefined, stateFolder: string) {
  const file = await demos;
  if (!file) return;
  const place = findD1File(stateFolder);
  for (const suffix of ['', '-wal', '-shm']) await rm(`${place}${suffix}`, { force: true });
  await copyFile(file, place);
  await rm(file);
}
