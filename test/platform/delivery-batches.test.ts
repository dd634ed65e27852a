import { expect, test } from 'vitest';
import { joinDeliveries } from '../../src/platform/cloudflare/delivery-batches.ts';
import { eventuallyPasses } from '../support/eventually.ts';

test('a push is recorded however many deliveries wait to begin, of which no more than a thousand may', async () => {
  const running: string[][] = [];
  const ask = joinDeliveries(
    (statements) =>
      new Promise<never>(() => {
        running.push(statements.map(({ sql }) => sql));
      }),
  );
  const batch = (sql: string) => ask([{ sql, values: [] }]);
  void batch('select 1');
  await eventuallyPasses(() => expect(running).toEqual([['select 1']]));
  for (let n = 0; n < 1_000; n++) void batch('select 2');
  await expect(batch('select 3')).rejects.toThrow('Overloaded');
  void batch('update notification');
  await eventuallyPasses(() => expect(running).toEqual([['select 1'], ['update notification']]));
});
