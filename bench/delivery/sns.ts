import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { snsDefaults } from '../../dev/sns/defaults.ts';
import type { InboxEntry } from '../../dev/sns/state.ts';
import { bin, start } from '../support/processes.ts';
import type { Person } from './people.ts';

/** Starts a local SNS that knows everyone's phone. */
export async function openSns(folder: string, people: readonly Person[]) {
  const state = join(folder, 'sns.json');
  await writeFile(state, JSON.stringify({ applications: [], endpoints: endpointsOf(people), pushes: [] }));
  const child = start(bin('node'), ['bench/delivery/sns-main.ts', state], { log: join(folder, 'sns.log') });
  const [, url = ''] = await child.line(/"event":"start","url":"([^"]+)"/);
  return {
    url,
    pid: child.pid,
    /** What it has accepted, oldest first. */
    async pushes(): Promise<InboxEntry[]> {
      return (await (await fetch(`${url}/inbox`)).json()) as InboxEntry[];
    },
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
