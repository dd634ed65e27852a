import { join } from 'node:path';
import { bin, start } from '../../support/processes.ts';
import { nextDueTime } from '../peers/due-time.ts';
import { countRecords, seedState } from '../peers/state.ts';
import { readyLine, settledLine } from '../peers/tally.ts';
import { dailyAt, type Task } from '../peers/task.ts';
import { localTime, study } from '../people.ts';
import type { RunningSystem, Setup, System } from '../system.ts';

/** The yardstick for the processor time of a delivery: the minimum that every delivery needs. */
export const floor: System = {
  name: 'floor',
  what: 'one process that reads, signs, posts and records',
  missing: () => null,
  open,
};

async function open({ folder, people, snsUrl }: Setup): Promise<RunningSystem> {
  const file = join(folder, 'state.db');
  const due = nextDueTime(people.length);
  const { on } = localTime(due);
  const tasks = people.map(({ id }): Task => ({ user: id, survey: study.survey, on, dueAt: due }));
  seedState(file, people, dailyAt(due), tasks);

  const main = 'bench/delivery/floor/worker.ts';
  const worker = start(bin('node'), [main, file, snsUrl, String(due), String(people.length)], {
    log: join(folder, 'worker.log'),
  });
  await worker.line(readyLine);
  return {
    due,
    pids: [worker.pid],
    ended: worker.ended,
    async settledAt() {
      const found = await worker.find(settledLine);
      return found && Number(found[1]);
    },
    records: async () => countRecords(file, on),
    close: worker.stop,
  };
}
