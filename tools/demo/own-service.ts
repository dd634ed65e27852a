import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AuthConfig } from '../../src/config.ts';
import { snsDefaults } from '../fakes/sns/defaults.ts';
import { startSns } from '../fakes/sns/server.ts';
import { localPushHosts, settingDefaults } from '../settings/defaults.ts';
import { checkSettings, projectFolder, type Settings } from '../settings/settings.ts';
import { killGroups, type ProcessGroup, startGroup } from '../worker/process-group.ts';

/** A service on Node with a local SNS, on free ports, over a database that goes with it. */
export interface OwnService {
  url: string;
  auth: AuthConfig;
  /** Names of the configured platforms. */
  platforms: string[];
  /** The local SNS, with the phones' page. */
  snsUrl: string;
  end(): Promise<void>;
}

/**
 * The database is empty, unless `fill` fills its file before the service starts.
 * @throws when the service ends before it listens
 */
export async function startOwnService(
  fill?: (file: string, settings: Settings) => Promise<unknown>,
): Promise<OwnService> {
  process.on('exit', killGroups);
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-own-'));
  const sns = await startSns({ ...snsDefaults, port: 0 });
  const settings = {
    ...settingDefaults,
    SNS_ENDPOINT: `${sns.url}/`,
    WEB_PUSH_HOSTS: localPushHosts(sns.port),
  };
  const { auth, relay } = checkSettings(settings);
  const file = join(folder, 'fieldbell.db');
  await fill?.(file, settings);
  const service = startGroup(process.execPath, ['src/node.ts', '--local'], {
    cwd: projectFolder,
    env: { ...settings, FIELDBELL_DB: file, PORT: '0', RATE_LIMIT_USER: '0' },
  });
  const end = async () => {
    await service.end();
    await sns.close();
    await rm(folder, { recursive: true });
  };
  try {
    const platforms = Object.keys(relay?.platformApplications ?? {});
    return { url: await urlOf(service), auth, platforms, snsUrl: sns.url, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function urlOf({ child, exited }: ProcessGroup): Promise<string> {
  if (!child.stdout) throw new Error('the service has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event === 'start') return url;
  }
  throw new Error(`the service ended with ${(await exited).code}`);
}
