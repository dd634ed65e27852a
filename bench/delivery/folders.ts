import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inUse = new Set<string>();
process.on('exit', () => {
  for (const folder of inUse) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Gives the work a folder of its own, and removes it whatever comes of the work. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-delivery-'));
  inUse.add(folder);
  try {
    // PostgreSQL does not run as root, and another user has to come through.
    await chmod(folder, 0o755);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    inUse.delete(folder);
  }
}
