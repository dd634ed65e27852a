import { join } from 'node:path';
import process from 'node:process';
import { databasePath } from '../../src/platform/server/settings.ts';
import { snsDefaults } from '../fakes/sns/defaults.ts';
import { startSns } from '../fakes/sns/server.ts';
import { localPushHosts, portDefaults } from '../settings/defaults.ts';
import { checkSettings, projectFolder, readSettings } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';
import { createFindOwners } from './phone-owners.ts';

/**
 * Local mode of the Node and Deno entries: adds the local defaults to the environment, listens only on the loopback
 * address, and starts a local SNS in the same process unless the environment names one or one is running.
 */
export async function prepareLocal(): Promise<void> {
  const { env } = process;
  const foreignSns = Boolean(env.SNS_ENDPOINT);
  const port = Number(env.SNS_PORT || portDefaults.sns);
  process.argv.push('--local');
  env.HOST = '127.0.0.1';
  env.PORT ||= String(portDefaults.api);
  env.FIELDBELL_STATE ||= join(projectFolder, '.wrangler/state');
  env.WEB_PUSH_HOSTS ||= localPushHosts(port);
  for (const [name, value] of Object.entries(readSettings(env))) env[name] = value;
  if (foreignSns) return;
  env.SNS_ENDPOINT = `http://127.0.0.1:${port}/`;
  await startLocalSns(port, join(env.FIELDBELL_STATE, 'sns.json'));
}

async function startLocalSns(port: number, stateFile: string) {
  try {
    const { relay } = checkSettings(readSettings(process.env));
    const findOwners = createFindOwners(() => databasePath(process.env) ?? '');
    const { url } = await startSns({ ...snsDefaults, ...relay, port, stateFile, findOwners });
    console.log(JSON.stringify({ event: 'sns', url }));
  } catch (error) {
    // The service names each variable at fault itself.
    if (error instanceof StartError) return;
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    console.log(JSON.stringify({ event: 'sns', url: `http://127.0.0.1:${port}`, running: true }));
  }
}
