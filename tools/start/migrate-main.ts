import { join } from 'node:path';
import process from 'node:process';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import { openLocalD1 } from '../database/local-d1.ts';

/* Applies new migrations to the database of `wrangler dev --persist-to`. Argument: that folder. */
const [folder = ''] = process.argv.slice(2);
const { d1Databases } = optionsOf('wrangler.toml').workerOptions as { d1Databases: { DB: { id: string } } };
try {
  const { dispose } = await openLocalD1({ id: d1Databases.DB.id, folder: join(folder, 'v3') });
  await dispose();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
