import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { snsDefaults } from '../../dev/sns/defaults.ts';
import type { InboxEntry } from '../../dev/sns/state.ts';
import type { Person } from './people.ts';
import { bin, start } from './processes.ts';

/** A local SNS that knows everybody's phone, and what it has accepted. */
export async function openSns(folder: string, people: readonly Person[]) {
  const state = join(folder, 'sns.json');
  await writeFile(state, JSON.stringify({ applications: [], endpoints: endpointsOf(people), pushes: [] }));
  const child = start(bin('node'), ['bench/delivery/sns-main.ts', state], { log: join(folder, 'sns.log') });
  const [, url = ''] = await child.line(/"event":"start","url":"([^"]+)"/);
  return {
    url,
    pid: child.pid,
    async pushes(): Promise<InboxEntry[]> {
      return (await (await fetch(`${url}/inbox`)).json()) as InboxEntry[];
    },
  };
}

const endpointsOf = (people: readonly Person[]) =>
  people.map(({ endpoint, token }) => ({
    arn: endpoint,
    application: snsDefaults.platformApplications.android,
    platform: 'GCM',
    token,
    enabled: true,
    customUserData: '',
  }));
