import { expect, test } from 'vitest';
import { eventually, sleep } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { daily } from './scenarios/reminders.ts';
import { checkDelivery, historiesOf, inboxes, newCrowd } from './support/crowds.ts';
import { open } from './support/runtimes.ts';
import { minuteAhead } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

/** Longer than a push may take, so that every deadline has passed when the process runs again. */
const frozenMs = 6_000;

test.concurrent.each(['node', 'deno'] as const)(
  'on %s, a process that got no CPU for longer than the deadline of its pushes repeats none of them',
  async (runtime) => {
    const service = await open(runtime);
    const world = newWorld(service);
    const crowd = await newCrowd(world, 20, 'Asia/Kathmandu');
    await plantFault(world, { action: 'Publish', delayMs: 1_500, times: 0 });
    const due = minuteAhead(12_000);
    await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'x') });
    await eventually('pushes under way', async () => service.sns.busy() > 15);
    process.kill(-service.process.pid, 'SIGSTOP');
    await sleep(frozenMs);
    expect(service.sns.inbox.list().length).toBeGreaterThan(15);
    process.kill(-service.process.pid, 'SIGCONT');
    await service.end('SIGTERM');
    await service.start();
    await eventually('everyone is reminded', async () =>
      (await historiesOf(crowd)).every((history) => history.some(({ state }) => state === 'sent')),
    );
    const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
    expect(histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? []))).toEqual([]);
    await service.dispose();
  },
);
