import { afterEach, expect, test, vi } from 'vitest';
import { DeadlineError, readText, withDeadline } from '../../src/outgoing.ts';
import { createWebhookCalls } from '../../src/platform/server/webhook-calls.ts';
import { startOddReceiver } from '../support/odd-receiver.ts';

afterEach(() => vi.useRealTimers());

/** More than the buffers of both systems hold; a reader takes as much within some milliseconds. */
const buffersBytes = 32 * 1024 * 1024;

test('an answer without an end is cut where the limit is, long before the time of the call is over', async () => {
  const receiver = await startOddReceiver();
  const call = createWebhookCalls({ local: true, timeoutMs: 10_000 });
  for (const oddity of ['endless', 'bombs'] as const)
    expect(await call({ url: `${receiver.url}/${oddity}`, headers: {}, body: '{}' })).toEqual({
      status: 200,
    });
  expect(receiver.written()).toBeLessThan(buffersBytes);
  await receiver.close();
});

test('a receiver that switches protocols has answered, and its connection ends', async () => {
  const receiver = await startOddReceiver();
  const call = createWebhookCalls({ local: true, timeoutMs: 10_000 });
  const answer = await call({ url: `${receiver.url}/switches`, headers: {}, body: '{}' });
  expect(answer).toEqual({ status: 101 });
  await expect.poll(receiver.open).toBe(0);
  await receiver.close();
});

test('interim answers without an end are cut, too', async () => {
  const receiver = await startOddReceiver();
  const call = createWebhookCalls({ local: true, timeoutMs: 10_000 });
  for (const oddity of ['continues', 'processes', 'hints'])
    expect(await call({ url: `${receiver.url}/${oddity}`, headers: {}, body: '{}' })).toEqual({
      status: null,
      error: 'No answer.',
    });
  expect(receiver.written()).toBeLessThan(buffersBytes);
  await receiver.close();
});

test('a call ends with its time even if what it waits for knows no end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const found: unknown[] = [];
  withDeadline(200, (deadline) => {
    deadline.addEventListener('abort', () => found.push(deadline.reason));
    return new Promise(() => {});
  }).catch((error) => found.push(error));
  await vi.advanceTimersByTimeAsync(199);
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(found).toEqual([expect.any(DeadlineError), expect.any(DeadlineError)]);
});

test('of a long answer the beginning is read, and the rest is given up', async () => {
  let closed = false;
  let read = 0;
  async function* long() {
    try {
      for (let n = 0; n < 1000; n++) {
        read += 1;
        yield new TextEncoder().encode('äbc');
      }
    } finally {
      closed = true;
    }
  }
  expect(await readText(long(), 9)).toBe('äbcäbc');
  expect([closed, read]).toEqual([true, 3]);
  expect(await readText(null, 10)).toBe('');
});
