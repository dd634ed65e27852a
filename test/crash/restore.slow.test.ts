import { copyFile, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { historiesOf, inboxes, newCrowd } from '../conformance/support/crowds.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import { diary } from '../support/studies.ts';
import { newTarget } from './target.ts';

const members = 8;
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
    for (const minute of [3, 4, 5])
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
    const sent = async (count: number) => {
      await eventually(`${count} sent to each`, async () => {
        const histories = await historiesOf(crowd);
        return histories.every((rows) => rows.filter(({ state }) => state === 'sent').length === count);
      });
      const pushes = (await inboxes(crowd)).flat();
      return (body: string) =>
        pushes.filter((push) => push.body === body).map(({ data }) => data.notification);
    };
    await eventually('all planned', async () =>
      (await historiesOf(crowd)).every((rows) => rows.length === 3),
    );
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await begin(nine + 3 * minuteMs);
    await sent(1);
    const copy = `${target.database}.backup`;
    const [backup] = await Promise.all([
      target.backUp(copy),
      owner.patch('/user/me', { name: 'Ada, meanwhile' }),
    ]);
    expect(backup).toBe(0);
    await second.end('SIGTERM');
    const third = await begin(nine + 4 * minuteMs);
    expect((await sent(2))('4')).toHaveLength(members);
    await third.end('SIGKILL');

    for (const ending of ['', '-wal', '-shm']) await rm(target.database + ending, { force: true });
    await copyFile(copy, target.database);
    const restored = await begin(nine + 5 * minuteMs);
    const pushed = await sent(3);
    expect(pushed('3'), 'sent before the backup').toHaveLength(members);
    expect(pushed('5'), 'due after the restoration').toHaveLength(members);
    // The backup does not know that these were sent; the phone shows each once, by its collapse id.
    expect(pushed('4'), 'sent between the two').toHaveLength(2 * members);
    expect(new Set(pushed('4')).size).toBe(members);
    expect(await restored.end('SIGTERM')).toBe(0);
  } finally {
    await target.dispose();
  }
});
