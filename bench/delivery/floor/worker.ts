import { setTimeout as sleep } from 'node:timers/promises';
import { inGroups } from '../peers/groups.ts';
import { openState, type Sent } from '../peers/state.ts';
import { createTally, reportReady } from '../peers/tally.ts';
import { successor } from '../peers/task.ts';
import { createPush } from './push.ts';

/*
 * Reads each reminder, signs and posts its push, and records both in group commits. It never retries, and keeps running
 * once it is done. Arguments: the SQLite file, the SNS's address, the due instant, how many people.
 */
const [file = '', snsUrl = '', due = '', size = ''] = process.argv.slice(2);
/** As many as the service. */
const concurrency = 256;

const state = openState(file);
const push = createPush(snsUrl);
const tally = createTally(Number(size));
const settle = inGroups<Sent>(state.record);

reportReady();
await sleep(Number(due) - Date.now());
const tasks = state.due(Number(due)).values();
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (const task of tasks) {
      const found = state.find(task);
      if (!found) throw new Error(`no occurrence of ${task.user}`);
      const messageId = await push(found);
      await settle({ task, messageId, next: successor(task, found.recurrence, found.zone) });
      tally(1);
    }
  }),
);
await new Promise(() => setInterval(() => {}, 60_000));
