import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { firstLaunch } from '../examples/first-launch.ts';
import { createClient } from '../src/client.ts';
import { signIn } from './api.ts';
import { settingDefaults } from './defaults.ts';
import { killGroups, type ProcessGroup, startGroup } from './process-group.ts';
import { seed } from './seed.ts';
import { checkSettings, projectFolder } from './settings.ts';
import { snsDefaults } from './sns/defaults.ts';
import { startSns } from './sns/server.ts';

/*
 * `npm run example`: an app's first launch (examples/first-launch.ts) in the demo study, against a service that is
 * started for it on free ports, over an empty database, and that ends with it.
 */
const newcomer = { subject: 'newcomer', email: 'newcomer@example.org' };

process.on('exit', killGroups);
const folder = await mkdtemp(join(tmpdir(), 'fieldbell-example-'));
const sns = await startSns({ ...snsDefaults, port: 0 });
const settings = { ...settingDefaults, SNS_ENDPOINT: `${sns.url}/` };
const { auth, relay } = checkSettings(settings);
const service = startGroup(process.execPath, ['src/node.ts'], {
  cwd: projectFolder,
  env: { ...settings, FIELDBELL_DB: join(folder, 'fieldbell.db'), PORT: '0' },
});
try {
  await run(await urlOf(service));
} finally {
  await service.end();
  await sns.close();
  await rm(folder, { recursive: true });
}

async function run(url: string) {
  const options = { url, auth, signal: AbortSignal.timeout(60_000) };
  const { study, ownerToken } = await seed({
    ...options,
    platforms: Object.keys(relay.platformApplications),
  });
  const owner = createClient({ baseUrl: url, token: () => ownerToken });
  const invitation = { email: newcomer.email, role: 'responder' as const };
  await owner.api.investigation[':id'].member.$post({ param: { id: study }, json: invitation });

  const { token } = await signIn(options, newcomer);
  const phone = { platform: 'android', token: 'phone-of-the-newcomer' };
  const { me, answered } = await firstLaunch(
    createClient({ baseUrl: url, token: () => token }),
    phone,
    new Date(),
  );
  console.log(`${me.name} signed up as ${me.uri}, and took the invitation.`);
  for await (const response of owner.responses(study))
    if (response.identifier === answered)
      console.log(`The study has the answer: ${JSON.stringify(response.items)}`);
}

/** @throws when the service ends before it listens */
async function urlOf({ child, exited }: ProcessGroup): Promise<string> {
  if (!child.stdout) throw new Error('the service has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event === 'start') return url;
  }
  throw new Error(`the service ended with ${(await exited).code}`);
}
