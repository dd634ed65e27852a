import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile, startFieldbell } from '../../support/fieldbell.ts';
import { bin } from '../../support/processes.ts';
import { createFile } from '../../support/sqlite.ts';
import { studyRows } from '../../support/study-rows.ts';
import { localTime, timeZone } from '../people.ts';
import type { RunningSystem, Setup, System } from '../system.ts';
import { openRecords } from './records.ts';

const clock = './bench/delivery/fieldbell/clock.ts';
const dayMs = 24 * 3600_000;
/** From the start of the service to the due instant; doubled until a busy machine starts it in time. */
const startUpMs = 4_000;
const maxStartUpMs = 60_000;
/** Not at a full hour, when the service also reconciles its plans. */
const dueAt = (Math.floor(Date.now() / dayMs) + 2) * dayMs + (11 * 60 + 7) * 60_000;

/** Fieldbell in a process of its own over a SQLite file. */
export function local(runtime: 'node' | 'deno'): System {
  return {
    name: runtime,
    what: `Fieldbell on ${runtime === 'node' ? 'Node' : 'Deno'}, SQLite file`,
    missing: () => (existsSync(bin(runtime)) ? null : `${runtime} is not installed`),
    async open(setup) {
      for (let ms = startUpMs; ; ms *= 2) {
        const folder = join(setup.folder, `start-${ms}`);
        await mkdir(folder);
        const running = await open(runtime, { ...setup, folder }, ms);
        if (Date.now() < running.due || ms > maxStartUpMs) return running;
        await running.close();
      }
    },
  };
}

async function open(
  runtime: 'node' | 'deno',
  { folder, people, snsUrl }: Setup,
  startUpMs: number,
): Promise<RunningSystem> {
  const file = databaseFile(folder);
  const reminders = { due: dueAt, zone: timeZone };
  await createFile(
    file,
    studyRows({ study: 0, members: people.length, responses: 0, reminders, now: dueAt }),
  );

  const service = await startFieldbell(runtime, {
    folder,
    snsUrl,
    preload: [clock],
    env: { CLOCK_AT: String(dueAt - startUpMs) },
  });
  const [, ahead] = await service.line(/"event":"clock","ahead":(\d+)/);
  const records = openRecords(file, { today: localTime(dueAt).on, due: dueAt });
  return {
    due: dueAt - Number(ahead),
    pids: [service.pid],
    ended: service.ended,
    // One batch settles an occurrence and plans the next, and is seen here only once committed.
    settledAt: async () => (records.hasPending() ? null : Date.now()),
    records: async () => records.count(),
    async close() {
      records.close();
      await service.stop();
    },
  };
}
