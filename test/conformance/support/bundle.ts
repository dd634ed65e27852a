import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The Worker bundled once for all services on workerd, in the folder that `WORKER_BUNDLE` names. */
export default async function setup() {
  if (process.env.WORKER_BUNDLE) return;
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-bundle-'));
  process.env.WORKER_BUNDLE = folder;
  const wrangler = join('node_modules', 'wrangler', 'bin', 'wrangler.js');
  await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder]);
  return async () => {
    delete process.env.WORKER_BUNDLE;
    await rm(folder, { recursive: true });
  };
}
