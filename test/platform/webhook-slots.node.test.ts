import { expect, test } from 'vitest';
import { createWebhookSlots } from '../../src/platform/server/webhook-slots.ts';

/** Work that goes on until it is told to end, and how much of it there was. */
function held() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    async end() {
      for (const end of ends.splice(0)) end();
      await turns();
    },
  };
}
const turns = () => new Promise((resolve) => setImmediate(resolve));

test('one owner has eight webhooks called at once, and takes no turn of another', async () => {
  const { begun, work, end } = held();
  const withSlot = createWebhookSlots();
  const all = Array.from({ length: 300 }, (_, n) =>
    withSlot({ id: `mallory ${n}`, owner: 'Mallory' }, work(`mallory ${n}`)),
  );
  all.push(withSlot({ id: 'ada', owner: 'Ada' }, work('ada')));
  await turns();
  expect(begun).toEqual([...Array.from({ length: 8 }, (_, n) => `mallory ${n}`), 'ada']);
  await end();
  expect(begun).toHaveLength(17);
  while (begun.length < 301) await end();
  await end();
  await Promise.all(all);
});

test('all owners together have a bound, too; a failure gives its turn back', async () => {
  const { begun, work, end } = held();
  const withSlot = createWebhookSlots({ ofOwner: 8, ofAll: 3 });
  const failing = () => Promise.reject(new Error('no'));
  await expect(withSlot({ id: 'x', owner: 'x' }, failing)).rejects.toThrow('no');
  const all = ['a', 'b', 'c', 'd'].map((one) => withSlot({ id: one, owner: one }, work(one)));
  await turns();
  expect(begun).toEqual(['a', 'b', 'c']);
  await end();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await end();
  await Promise.all(all);
});

test('a webhook waits once, and may be asked for again while it is called', async () => {
  const { begun, work, end } = held();
  const withSlot = createWebhookSlots({ ofOwner: 1, ofAll: 8 });
  const all = ['first', 'first', 'second', 'second'].map((id) => withSlot({ id, owner: 'Ada' }, work(id)));
  await turns();
  expect(begun).toEqual(['first']);
  all.push(withSlot({ id: 'first', owner: 'Ada' }, work('first')));
  for (let n = 0; n < 4; n++) await end();
  expect(begun).toEqual(['first', 'second', 'first']);
  await Promise.all(all);
});
