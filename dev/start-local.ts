import { join } from 'node:path';
import process from 'node:process';
import { databasePath } from '../src/platform/server/settings.ts';
import { PORT_DEFAULTS } from './defaults.ts';
import { createFindOwners } from './phone-owners.ts';
import { projectFolder, readSettings } from './settings.ts';
import { snsDefaults } from './sns/defaults.ts';
import { startSns } from './sns/server.ts';

/**
 * Local mode of the Node and Deno entries: puts the local defaults under the environment, listens on the loopback
 * address only, and starts a local SNS in the same process unless the environment names a relay or one is running.
 */
export async function prepareLocal(): Promise<void> {
  const { env } = process;
  const relayNamed = Boolean(env.SNS_ENDPOINT);
  const port = Number(env.SNS_PORT || PORT_DEFAULTS.sns);
  env.HOST = '127.0.0.1';
  env.PORT ||= String(PORT_DEFAULTS.api);
  env.FIELDBELL_STATE ||= join(projectFolder, '.wrangler/state');
  for (const [name, value] of Object.entries(readSettings(env))) env[name] = value;
  if (relayNamed) return;
  env.SNS_ENDPOINT = `http://127.0.0.1:${port}/`;
  await startRelay(port, join(env.FIELDBELL_STATE, 'sns.json'));
}

async function startRelay(port: number, stateFile: string) {
  try {
    const findOwners = createFindOwners(() => databasePath(process.env) ?? '');
    const { url } = await startSns({ ...snsDefaults, port, stateFile, findOwners });
    console.log(JSON.stringify({ event: 'sns', url }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    console.log(JSON.stringify({ event: 'sns', url: `http://127.0.0.1:${port}`, running: true }));
  }
}
