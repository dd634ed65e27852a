import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { d1File } from '../database/d1-file.ts';
import { projectFolder } from '../settings/settings.ts';
import { type ProcessGroup, startGroup } from './process-group.ts';

const require = createRequire(import.meta.url);
const wranglerFolder = dirname(require.resolve('wrangler/package.json'));
const killWithParent = pathToFileURL(join(import.meta.dirname, 'kill-with-parent.ts')).href;

/** Starts wrangler in the project's folder, with everything that it stores in the state folder. */
export const startWrangler = (args: readonly string[], stateFolder: string): ProcessGroup =>
  startScript(join(wranglerFolder, 'bin/wrangler.js'), args, stateFolder);

/** Starts programs that import wrangler or the local runtime, in the same way. */
export function startScript(
  script: string,
  args: readonly string[],
  stateFolder: string,
  settings: Record<string, string> = {},
): ProcessGroup {
  return startGroup(process.execPath, ['--import', killWithParent, script, ...args], {
    cwd: projectFolder,
    env: { ...quietEnvironment(stateFolder), ...settings },
  });
}

/** No telemetry, update notice, hint at first steps, log file or call to the internet, and no other environment of `wrangler.toml`. */
function quietEnvironment(stateFolder: string): NodeJS.ProcessEnv {
  const { CLOUDFLARE_ENV: _, ...env } = process.env;
  return {
    ...env,
    FIELDBELL_START: d1File(stateFolder),
    CI: 'true',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_LOG: 'log',
    WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'),
    WRANGLER_CACHE_DIR: join(stateFolder, 'cache'),
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
    CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
  };
}
