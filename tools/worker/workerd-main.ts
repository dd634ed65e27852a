import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseEnv, promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import { migrateD1 } from '../database/local-d1.ts';

/*
 * The Worker in Cloudflare's own runtime, configured by `wrangler.toml`, with its state in a folder: like `wrangler dev`,
 * without its proxy and inspector. Arguments: the folder, which holds `settings.env`. With `OBJECTS=in-memory` alarms
 * live as long as the process; the database is on disk.
 */
const [folder = ''] = process.argv.slice(2);
const bundle = join(folder, 'bundle');
const minuteMs = 60_000;

await bundled();
// The bundle is one module.
const { modulesRules: _, ...worker } = optionsOf('wrangler.toml').workerOptions;
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    ...worker,
    name: 'fieldbell',
    modules: [{ type: 'ESModule', path: join(bundle, 'worker.js') }],
    modulesRoot: bundle,
    bindings: parseEnv(await readFile(join(folder, 'settings.env'), 'utf8')) as Record<string, string>,
    resourcePersistencePath: join(folder, 'state'),
    ...(process.env.OBJECTS === 'in-memory' && inMemory(worker.durableObjects)),
    cf: false,
    host: '127.0.0.1',
    port: 0,
  }),
);
await migrateD1(await miniflare.getD1Database('DB'));
const url = await miniflare.ready;
console.log(JSON.stringify({ event: 'start', runtime: 'workerd', url: url.href.replace(/\/$/, '') }));
setTimeout(tick, minuteMs - (Date.now() % minuteMs));

/** The runtime forgets the memory of an object that it evicts. */
function inMemory(objects: typeof worker.durableObjects) {
  const kept = Object.entries(objects ?? {}).map(([name, options]) => [
    name,
    { ...(typeof options === 'object' ? options : {}), unsafePreventEviction: true },
  ]);
  return { unsafeEphemeralDurableObjects: true, durableObjects: Object.fromEntries(kept) };
}

/** The work of the Cron Trigger. */
async function tick() {
  setTimeout(tick, minuteMs - (Date.now() % minuteMs));
  const worker = await miniflare.getWorker();
  await worker.scheduled({ scheduledTime: new Date(), cron: '* * * * *' });
}

/** Once for all starts over this folder. */
async function bundled() {
  if ((await readdir(folder)).includes('bundle')) return;
  const wrangler = join('node_modules', 'wrangler', 'bin', 'wrangler.js');
  await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', bundle]);
}
