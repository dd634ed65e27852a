import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopAll } from './processes.ts';

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs `work` with a temporary folder; then ends the processes that it left and removes the folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-bench-'));
  folders.add(folder);
  try {
    return await work(folder);
  } finally {
    await stopAll();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    folders.delete(folder);
  }
}
