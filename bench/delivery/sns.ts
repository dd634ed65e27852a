import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSns } from '../../src/push/sns/push.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import type { InboxEntry } from '../../tools/fakes/sns/state.ts';
import { denoPermissions } from '../support/fieldbell.ts';
import { bin, start } from '../support/processes.ts';
import { endpointOf } from '../support/study-rows.ts';
import type { Person } from './people.ts';

/** Callers, and pushes of each, that warm the relay before a run; the phone is nobody's. */
const warmUpCallers = 60;
const warmUpPushes = 50;
const nobody: Person = { id: 'nobody', endpoint: endpointOf('') };

/** Starts a local SNS that knows everyone's phone, and warms it up. */
export async function openSns(folder: string, people: readonly Person[]) {
  const state = join(folder, 'sns.json');
  await writeFile(state, JSON.stringify({ endpoints: endpointsOf([...people, nobody]), pushes: [] }));
  const args = ['bench/delivery/sns-main.ts', state];
  const child = start(bin('deno'), ['run', ...denoPermissions, ...args], { log: join(folder, 'sns.log') });
  const [, url = ''] = await child.line(/"event":"start","url":"([^"]+)"/);
  await warmUp(url);
  return {
    url,
    pid: child.pid,
    /** The accepted pushes, oldest first. @throws when SNS would have refused a push */
    pushes: () => inbox(url),
  };
}

const endpointsOf = (people: readonly Person[]) =>
  people.map(({ endpoint }) => ({
    arn: endpoint,
    application: snsDefaults.platformApplications.android,
    platform: 'GCM',
    token: endpoint,
    enabled: true,
    customUserData: '',
  }));

async function warmUp(url: string) {
  const { send } = createSns({ ...snsDefaults, endpoint: `${url}/` });
  const push = {
    endpoint: nobody.endpoint,
    title: 'Nobody',
    body: 'is waiting.',
    data: {},
    collapseId: 'nobody',
    ttlSeconds: 60,
  };
  const call = async () => {
    for (let n = 0; n < warmUpPushes; n++) {
      const { state } = await send(push);
      if (state !== 'sent') throw new Error(`The SNS answers a push with ${state}`);
    }
  };
  await Promise.all(Array.from({ length: warmUpCallers }, call));
  await inbox(url, 'DELETE');
}

async function inbox(url: string, method = 'GET'): Promise<InboxEntry[]> {
  const answer = await fetch(`${url}/inbox`, { method });
  if (!answer.ok) throw new Error(`SNS refuses a push: ${await answer.text()}`);
  return (await answer.json()) as InboxEntry[];
}
