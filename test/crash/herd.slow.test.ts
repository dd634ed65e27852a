import { expect, test } from 'vitest';
import { daily } from '../conformance/scenarios/reminders.ts';
import { checkDelivery, historiesOf, inboxes, newCrowd, retriesIn } from '../conformance/support/crowds.ts';
import { settings } from '../conformance/support/settings.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { newTarget } from './target.ts';

const minuteMs = 60_000;
const due = Math.ceil(Date.now() / minuteMs) * minuteMs + 60 * minuteMs;
/** Longer than a push may take. */
const frozenMs = 6_000;

/** A crowd with a reminder that is soon due, and the end of the process that planned it. */
async function prepare(runtime: 'node' | 'deno', members: number) {
  const target = await newTarget(runtime);
  const world = newWorld(target);
  const preparing = target.spawn(due - 30 * minuteMs);
  await target.ready(preparing);
  const crowd = await newCrowd(world, members, 'Asia/Kathmandu');
  await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'Sleep diary') });
  await eventually('all planned', async () =>
    (await historiesOf(crowd)).every((history) => history.length === 1),
  );
  expect(await preparing.end('SIGTERM')).toBe(0);

  const arrived = () => target.sns.inbox.list().map(({ data }) => data.notification as string);
  /** Starts the process again, and waits until everyone is reminded. Returns the repeated pushes. */
  async function resume() {
    const running = target.spawn(due + minuteMs);
    await target.ready(running);
    await eventually('all are sent', async () =>
      (await historiesOf(crowd)).every((history) => history.some(({ state }) => state === 'sent')),
    );
    const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
    return { running, repeated: histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? [])) };
  }
  return { target, world, arrived, resume };
}

const runtimes = ['node', 'deno'] as const;

test.concurrent.each(
  runtimes.flatMap((runtime) => (['SIGKILL', 'SIGTERM'] as const).map((signal) => ({ runtime, signal }))),
)(
  '$runtime, ended by $signal in the middle of a herd, repeats only what it could not record, once each',
  async ({ runtime, signal }) => {
    const members = 60;
    const { target, world, arrived, resume } = await prepare(runtime, members);
    try {
      // Slow enough that many are under way.
      await plantFault(world, { action: 'Publish', delayMs: 200, times: 0 });
      const first = target.spawn(due - 300);
      await eventually('some are pushed', () => arrived().length >= members / 6);
      const code = await first.end(signal);
      await eventually('its last push has arrived', () => target.sns.busy() === 0);
      const before = new Set(arrived());

      const { running, repeated } = await resume();
      const retries = retriesIn([...first.lines, ...running.lines]);
      const unrecorded = repeated.filter((notification) => !retries.has(notification));
      expect(unrecorded.filter((notification) => !before.has(notification))).toEqual([]);
      expect(new Set(unrecorded).size).toBe(unrecorded.length);
      expect(await running.end('SIGTERM')).toBe(0);
      if (signal === 'SIGKILL') return;

      expect([code, unrecorded]).toEqual([0, []]);
      expect(first.lines.at(-1)).toContain('"event":"stop"');
      // Counts are stored at a stop.
      const counting = target.spawn(due + 2 * minuteMs);
      await target.ready(counting);
      const authorization = `Bearer ${settings('').METRICS_TOKEN}`;
      const metrics = await fetch(`${target.url}/metrics`, { headers: { authorization } });
      expect(await metrics.text()).toContain(`fieldbell_deliveries_total{outcome="sent"} ${members}\n`);
      await counting.end('SIGKILL');
    } finally {
      await target.dispose();
    }
  },
);

test.concurrent.each(runtimes)(
  'a %s that got no CPU for longer than the deadline of its pushes repeats none of them',
  async (runtime) => {
    const members = 20;
    const { target, world, arrived, resume } = await prepare(runtime, members);
    try {
      await plantFault(world, { action: 'Publish', delayMs: 3_000, times: 0 });
      const frozen = target.spawn(due - 300);
      // A connection and a request of each.
      await eventually('pushes under way', () => target.sns.busy() > 1.5 * members);
      process.kill(-frozen.pid, 'SIGSTOP');
      const stoppedAt = performance.now();
      await eventually('all deadlines are over', () => performance.now() > stoppedAt + frozenMs);
      expect(arrived().length).toBeGreaterThan(members / 2);
      await fetch(`${target.sns.url}/faults`, { method: 'DELETE' });
      process.kill(-frozen.pid, 'SIGCONT');
      await frozen.end('SIGTERM');
      expect((await resume()).repeated).toEqual([]);
    } finally {
      await target.dispose();
    }
  },
);
