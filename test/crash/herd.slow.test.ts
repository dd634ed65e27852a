import { expect, test } from 'vitest';
import { daily } from '../conformance/scenarios/reminders.ts';
import { checkDelivery, historiesOf, inboxes, newCrowd, retriesIn } from '../conformance/support/crowds.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { newTarget } from './target.ts';

const members = 300;
const zone = 'Asia/Kathmandu';
const minuteMs = 60_000;
const due = Math.ceil(Date.now() / minuteMs) * minuteMs + 60 * minuteMs;

test.concurrent.each(['node', 'deno'] as const)(
  '%s, killed in the middle of a herd, repeats only what it had pushed, once each',
  async (runtime) => {
    const target = await newTarget(runtime);
    try {
      const world = newWorld(target);
      const preparing = target.spawn(due - 30 * minuteMs);
      await target.ready(preparing);
      const crowd = await newCrowd(world, members, zone);
      await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'Sleep diary') });
      await eventually('all planned', async () =>
        (await historiesOf(crowd)).every((history) => history.length === 1),
      );
      expect(await preparing.end('SIGTERM')).toBe(0);

      // Slow enough that the process is always waiting for as many answers as it may.
      await plantFault(world, { action: 'Publish', delayMs: 200, times: 0 });
      const first = target.spawn(due - 300);
      await eventually('some are pushed', async () => target.sns.inbox.list().length >= 50);
      await first.end('SIGKILL');
      await eventually('its last push has arrived', async () => target.sns.busy() === 0);
      const before = new Set(target.sns.inbox.list().map(({ data }) => data.notification as string));

      const second = target.spawn(due + minuteMs);
      await target.ready(second);
      await eventually('all are sent', async () =>
        (await historiesOf(crowd)).every((history) => history.some(({ state }) => state === 'sent')),
      );
      const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
      const repeated = histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? []));
      const retries = retriesIn([...first.lines, ...second.lines]);
      const unrecorded = repeated.filter((notification) => !retries.has(notification));
      expect(unrecorded.filter((notification) => !before.has(notification))).toEqual([]);
      expect(new Set(unrecorded).size).toBe(unrecorded.length);
      expect(await second.end('SIGTERM')).toBe(0);
    } finally {
      await target.dispose();
    }
  },
);
