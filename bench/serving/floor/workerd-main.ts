import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';

/*
 * The floor in Cloudflare's own runtime, bundled and started as Fieldbell is by test/conformance. Arguments: the folder
 * of its state.
 */
const [folder = ''] = process.argv.slice(2);
const bundle = join(folder, 'bundle');
const config = fileURLToPath(new URL('wrangler.toml', import.meta.url));
const wrangler = join('node_modules', 'wrangler', 'bin', 'wrangler.js');
const args = [wrangler, 'deploy', '--config', config, '--dry-run', '--outdir', bundle];
await promisify(execFile)(process.execPath, args);

const { modulesRules: _, ...worker } = optionsOf(config).workerOptions;
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    ...worker,
    name: 'floor',
    modules: [{ type: 'ESModule', path: join(bundle, 'worker.js') }],
    modulesRoot: bundle,
    resourcePersistencePath: join(folder, 'state'),
    cf: false,
    host: '127.0.0.1',
    port: 0,
  }),
);
const url = await miniflare.ready;
console.log(JSON.stringify({ event: 'start', url: url.href.replace(/\/$/, '') }));
