import { join } from 'node:path';
import { bin, start } from '../../support/processes.ts';
import { countRecords, openUnsent, seedState } from '../bullmq/state.ts';
import { databaseIn } from '../fieldbell/workerd.ts';
import { nextDueTime } from '../peers/due-time.ts';
import { dailyAt, type Task } from '../peers/task.ts';
import { localTime, study } from '../people.ts';
import type { RunningSystem, Setup, System } from '../system.ts';

const tasksPerCall = 200;
/** An object is created for each, which takes longer than a job of a queue. */
const extraMsPerTask = 10;
const startUpMs = 5_000;

export const cloudflare: System = {
  name: 'cloudflare',
  what: 'an alarm for each reminder on workerd, state in D1, one batch for each',
  missing: () => null,
  open,
};

async function open({ folder, people, snsUrl }: Setup): Promise<RunningSystem> {
  // The first start creates the database, which is filled before the second.
  await (await startPeer(folder, snsUrl, 'first.log')).service.stop();
  const file = await databaseIn(folder);
  const due =
    nextDueTime(people.length) + startUpMs + Math.ceil((extraMsPerTask * people.length) / 1000) * 1000;
  const { on } = localTime(due);
  const tasks = people.map(({ id }): Task => ({ user: id, survey: study.survey, on, dueAt: due }));
  seedState(file, people, dailyAt(due), tasks);
  const { service, url } = await startPeer(folder, snsUrl, 'service.log');
  for (let n = 0; n < tasks.length; n += tasksPerCall) {
    const answer = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(tasks.slice(n, n + tasksPerCall)),
    });
    if (!answer.ok) throw new Error(`planning: ${answer.status} ${await answer.text()}`);
  }
  const unsent = openUnsent(file, on);
  return {
    due,
    pids: [service.pid],
    ended: service.ended,
    settledAt: async () => (unsent.hasUnsent() ? null : Date.now()),
    records: async () => countRecords(file, on),
    async close() {
      unsent.close();
      await service.stop();
    },
  };
}

async function startPeer(folder: string, snsUrl: string, log: string) {
  const service = start(bin('node'), ['bench/delivery/cloudflare/main.ts', folder, snsUrl], {
    log: join(folder, log),
    env: { WRANGLER_SEND_METRICS: 'false', CI: 'true' },
  });
  const [, url = ''] = await service.line(/"event":"start","url":"([^"]+)"/);
  return { service, url };
}
