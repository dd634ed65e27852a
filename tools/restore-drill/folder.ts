import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const lockName = 'lock';

const folderOf = (database: string) => join(dirname(database), `.restore-drill-${basename(database)}`);

/** The folder in which a drill has its copies, beside the database. */
export interface DrillFolder {
  path: string;
  /** Removes it, with all that is in it. */
  remove(): Promise<void>;
}

/**
 * Takes the folder for one drill, without the copies of a drill that was killed. The lock is SQLite's, so that the system
 * releases it however a drill ends. @throws if another drill has it
 */
export async function takeFolder(database: string): Promise<DrillFolder> {
  const path = folderOf(database);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(path, lockName));
  try {
    lock.exec('begin immediate');
    for (const name of await readdir(path))
      if (name !== lockName) await rm(join(path, name), { recursive: true, force: true });
  } catch (error) {
    lock.close();
    if (/database is locked/.test(String(error))) throw new Error(`Another drill of ${database} is running.`);
    throw error;
  }
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      lock.close();
    },
  };
}

/** Removes the copies of a drill that was killed; those of one that is running stay. */
export async function removeLeftovers(database: string): Promise<void> {
  if (!existsSync(folderOf(database))) return;
  const folder = await takeFolder(database).catch(() => undefined);
  await folder?.remove();
}
