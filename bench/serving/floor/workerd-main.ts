import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';
import { readWorkerSettings } from '../worker-settings.ts';

/*
 * The floor in Cloudflare's own runtime, bundled as by wrangler and behind the same static files, so that routing costs
 * both the same. Argument: the folder of its state.
 */
const [folder = ''] = process.argv.slice(2);
const outfile = join(folder, 'worker.js');
await build({
  entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  outfile,
});
const { compatibilityDate, databaseId } = await readWorkerSettings();
// The other options are for Fieldbell only.
const { assets } = optionsOf('wrangler.toml').workerOptions as { assets: { directory: string } };
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    name: 'floor',
    compatibilityDate,
    assets,
    d1Databases: { DB: databaseId },
    modules: [{ type: 'ESModule', path: outfile }],
    modulesRoot: folder,
    resourcePersistencePath: join(folder, 'state'),
    cf: false,
    host: '127.0.0.1',
    port: 0,
  }),
);
const url = await miniflare.ready;
console.log(JSON.stringify({ event: 'start', url: url.href.replace(/\/$/, '') }));
