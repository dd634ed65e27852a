import { copyFile, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { historiesOf, inboxes, newCrowd } from '../conformance/support/crowds.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import { diary } from '../support/studies.ts';
import { newTarget } from './target.ts';

const members = 8;
/** When reminders are due, after nine: further apart than a process takes that is to send no more than one of them. */
const due = [10, 20, 30] as const;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const nine = Math.ceil(Date.now() / dayMs) * dayMs + 9 * 60 * minuteMs;

test('a backup made while running is restored: what it knows as sent is not pushed again, and the rest goes on', async () => {
  const target = await newTarget('node');
  const world = newWorld(target);
  const begin = async (at: number) => {
    const running = target.spawn(at);
    await target.ready(running);
    return running;
  };
  try {
    const first = await begin(nine - 2_000);
    const crowd = await newCrowd(world, members, 'UTC');
    const { owner, investigation } = crowd;
    for (const minute of due)
      created(
        await owner.post(`/investigation/${investigation}/survey`, {
          name: `${minute}`,
          items: diary,
          reminders: {
            type: 'rolling',
            recurrence: `${minute} 9 * * *`,
            notification: { subject: 'Diary', body: `${minute}` },
          },
        }),
      );
    const sent = async (count: 1 | 2 | 3) => {
      await eventually(`${count} sent to each`, async () => {
        const histories = await historiesOf(crowd);
        return histories.every((rows) => rows.filter(({ state }) => state === 'sent').length === count);
      });
      const pushes = (await inboxes(crowd)).flat();
      return (minute: number) =>
        pushes.filter((push) => push.body === `${minute}`).map(({ data }) => data.notification);
    };
    await eventually('all planned', async () =>
      (await historiesOf(crowd)).every((rows) => rows.length === 3),
    );
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await begin(nine + due[0] * minuteMs);
    await sent(1);
    const copy = `${target.database}.backup`;
    const [backup] = await Promise.all([
      target.backUp(copy),
      owner.patch('/user/me', { name: 'Ada, meanwhile' }),
    ]);
    expect(backup).toBe(0);
    await second.end('SIGTERM');
    const third = await begin(nine + due[1] * minuteMs);
    expect((await sent(2))(due[1])).toHaveLength(members);
    await third.end('SIGKILL');

    for (const ending of ['', '-wal', '-shm']) await rm(target.database + ending, { force: true });
    await copyFile(copy, target.database);
    const restored = await begin(nine + due[2] * minuteMs);
    const pushed = await sent(3);
    expect(pushed(due[0]), 'sent before the backup').toHaveLength(members);
    expect(pushed(due[2]), 'due after the restoration').toHaveLength(members);
    // The backup does not know that these were sent; the phone shows each once, by its collapse id.
    expect(pushed(due[1]), 'sent between the two').toHaveLength(2 * members);
    expect(new Set(pushed(due[1])).size).toBe(members);
    expect(await restored.end('SIGTERM')).toBe(0);
  } finally {
    await target.dispose();
  }
});
