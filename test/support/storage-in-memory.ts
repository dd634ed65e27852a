import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The space that all tests use at once, slow ones too, is well under a tenth of it. A container has 64 MB. */
const leastFree = 2 * 2 ** 30;

/**
 * Has tests, and what they start, keep their files in memory where Linux offers a place for it: a quarter of the time of a
 * test by the Worker's front door went into writing what it stores to disk. TMPDIR, where it is set, stays.
 */
export function storeInMemory() {
  const folder = process.env.TMPDIR ? undefined : newFolder();
  if (!folder) return;
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function newFolder(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < leastFree) return;
    folder = mkdtempSync('/dev/shm/fieldbell-');
    // Some tests run what they have installed, which not every mount allows.
    const program = join(folder, 'program');
    writeFileSync(program, '', { mode: 0o700 });
    accessSync(program, constants.X_OK);
    return folder;
  } catch {
    if (folder) rmSync(folder, { recursive: true });
  }
}
