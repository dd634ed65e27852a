import { expect, test } from 'vitest';
import { eventually, sleep } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { daily } from './scenarios/reminders.ts';
import { checkDelivery, historiesOf, inboxes, newCrowd } from './support/crowds.ts';
import { open } from './support/runtimes.ts';
import { expectAhead, minuteAhead, TooLate, untilInTime } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

/** Longer than a push may take, so that every deadline has passed when the process runs again. */
const frozenMs = 6_000;

const members = 20;

test.concurrent.each(['node', 'deno'] as const)(
  'on %s, a process that got no CPU for longer than the deadline of its pushes repeats none of them',
  (runtime) => untilInTime(() => freeze(runtime)),
);

async function freeze(runtime: 'node' | 'deno') {
  const service = await open(runtime);
  try {
    const world = newWorld(service);
    const crowd = await newCrowd(world, members, 'Asia/Kathmandu');
    await plantFault(world, { action: 'Publish', delayMs: 3_000, times: 0 });
    const due = minuteAhead(12_000);
    await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'x') });
    await eventually('all are planned', async () =>
      (await historiesOf(crowd)).every((history) => history.length === 1),
    );
    expectAhead(due);
    const arrived = () => service.sns.inbox.list().length;
    // A connection and a request of each.
    await eventually('pushes under way', () => service.sns.busy() > 1.5 * members || arrived() > 0);
    process.kill(-service.process.pid, 'SIGSTOP');
    await sleep(frozenMs);
    if (arrived() < members / 2) throw new TooLate();
    await fetch(`${service.sns.url}/faults`, { method: 'DELETE' });
    process.kill(-service.process.pid, 'SIGCONT');
    await service.end('SIGTERM');
    await service.start();
    await eventually('everyone is reminded', async () =>
      (await historiesOf(crowd)).every((history) => history.some(({ state }) => state === 'sent')),
    );
    const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
    expect(histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? []))).toEqual([]);
  } finally {
    await service.dispose();
  }
}
