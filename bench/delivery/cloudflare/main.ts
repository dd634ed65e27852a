import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { snsDefaults } from '../../../dev/sns/defaults.ts';

/* The peer in Cloudflare's local runtime, as Fieldbell is there. Arguments: a folder, the SNS's address. */
const [folder = '', snsUrl = ''] = process.argv.slice(2);
const bundle = join(folder, 'bundle');
const config = join(import.meta.dirname, 'wrangler.toml');
const wrangler = join('node_modules', 'wrangler', 'bin', 'wrangler.js');
const build = [wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', bundle];
if (!existsSync(bundle)) await promisify(execFile)(process.execPath, build);

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    name: 'peer',
    modules: [{ type: 'ESModule', path: join(bundle, 'worker.js') }],
    modulesRoot: bundle,
    compatibilityDate: '2026-08-01',
    bindings: {
      SNS_URL: snsUrl,
      AWS_REGION: snsDefaults.region,
      AWS_ACCESS_KEY_ID: snsDefaults.accessKeyId,
      AWS_SECRET_ACCESS_KEY: snsDefaults.secretAccessKey,
    },
    d1Databases: { DB: 'peer' },
    durableObjects: { REMINDER: { className: 'Reminder', useSQLite: true, unsafePreventEviction: true } },
    unsafeEphemeralDurableObjects: true,
    resourcePersistencePath: join(folder, 'state'),
    cf: false,
    host: '127.0.0.1',
    port: 0,
  }),
);
const url = await miniflare.ready;
// Creates the database's file.
await (await miniflare.getD1Database('DB')).exec('select 1');
console.log(JSON.stringify({ event: 'start', url: url.href }));
