import { constants } from 'node:fs';
import { access, copyFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rootMessage } from '../../src/errors.ts';
import { breakCopy } from './break-copy.ts';
import { takeFolder } from './folder.ts';
import { checkLogs, readHeads } from './logs.ts';
import { comparePending } from './pending.ts';
import { checkPushes } from './pushes.ts';
import type { Check, DrillOptions, DrillResult, Found } from './result.ts';
import { compareRows } from './rows.ts';
import { backUpPinned } from './snapshot.ts';

/**
 * Backs up the database of a running server, restores the backup beside it, and compares the two as they were at one moment.
 * @throws if there is no database, or no backup can be made
 */
export async function drill(database: string, options: DrillOptions): Promise<DrillResult> {
  await access(database).catch(() => {
    throw new Error(`There is no database at ${database}.`);
  });
  const folder = await takeFolder(database);
  try {
    return await drillIn(folder.path, database, options);
  } finally {
    await folder.remove();
  }
}

async function drillIn(folder: string, database: string, options: DrillOptions): Promise<DrillResult> {
  const backup = join(folder, 'backup.db');
  const restored = join(folder, 'restored.db');
  const checks: Check[] = [];
  const check = async (name: Check['name'], work: () => Found | Promise<Found>) => {
    const found = await Promise.try(work).catch(
      (error): Found => ({ text: 'could not be checked', numbers: {}, faults: [rootMessage(error)] }),
    );
    checks.push({ name, passed: found.faults.length === 0, ...found });
    return found.faults.length === 0;
  };
  const began = performance.now();
  const original = await backUpPinned(database, backup);
  try {
    const at = Date.now();
    const bytes = (await stat(backup)).size;
    const ms = Math.round(performance.now() - began);
    await check('backup', () => ({
      text: `${bytes.toLocaleString('en')} bytes in ${ms} ms, while the server may write`,
      numbers: { bytes, ms },
      faults: [],
    }));
    const heads = await readHeads(original, options.signingKey, at);
    // One copy of the data, unless the backup itself is kept.
    if (options.keep === undefined) await rename(backup, restored);
    else await copyFile(backup, restored, constants.COPYFILE_FICLONE);
    if (options.broken) await breakCopy(restored, options.broken);
    if (await check('file', () => checkFile(restored))) {
      const copy = new DatabaseSync(restored, { readOnly: true });
      try {
        await check('rows', () => compareRows(original, copy));
        await check('pending', () => comparePending(original, copy));
      } finally {
        copy.close();
      }
      await check('logs', () => checkLogs(restored, heads, options));
      await check('pushes', () =>
        checkPushes(restored, { original, database, from: at, until: at + options.hours * 3_600_000 }),
      );
    }
    const passed = checks.every((one) => one.passed);
    if (passed && options.keep !== undefined) await keepAs(backup, resolve(options.keep));
    const { broken = null } = options;
    return { database, at: new Date(at).toISOString(), passed, broken, checks };
  } finally {
    original.close();
  }
}

/** A backup replaces no file. */
async function keepAs(backup: string, target: string) {
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${target} exists: a backup replaces no file.`);
  const unfinished = `${target}.unfinished`;
  try {
    // Another disk may hold it.
    await rename(backup, unfinished).catch(() => copyFile(backup, unfinished));
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The file opens, and SQLite finds it whole. */
function checkFile(path: string): Found {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const found = copy.prepare('pragma integrity_check(10)').all() as { integrity_check: string }[];
    const lines = found.map((row) => row.integrity_check);
    const isWhole = lines.length === 1 && lines[0] === 'ok';
    return { text: 'opens, and is whole by SQLite’s own check', numbers: {}, faults: isWhole ? [] : lines };
  } finally {
    copy.close();
  }
}
