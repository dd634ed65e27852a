import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { ReplanChunk } from '../../src/services.ts';
import worker from '../../src/worker.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

const pendingRows = (user: string) =>
  env.DB.prepare('select count(*) as n from scheduled_notification where user_id = ? and settled_at is null')
    .bind(user)
    .first<number>('n');
const deadLetters = () => env.DB.prepare('select count(*) as n from dead_letter').first<number>('n');

/** A message, and what was done with it, in order. */
function messageWith(body: ReplanChunk, onAck: () => Promise<unknown>) {
  const done: unknown[] = [];
  const acked: Promise<unknown>[] = [];
  const message = {
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 2,
    body,
    ack: () => {
      done.push('ack');
      acked.push(onAck());
    },
    retry: (options: unknown) => done.push(options),
  };
  return { message, done, seen: () => Promise.all(acked) };
}

const handle = (queue: string, messages: object[]) =>
  worker.queue({ queue, messages, ackAll: () => {}, retryAll: () => {} } as never, env);

describe('a message of the queue', () => {
  test('is acknowledged when its users are planned, not before', async () => {
    const study = await sleepStudy(daily);
    await pendingOf(study.responder);
    await env.DB.exec('delete from scheduled_notification');
    const { responder } = study;
    const { message, done, seen } = messageWith({ users: [responder.id] }, () => pendingRows(responder.id));
    await handle('fieldbell-replan', [message]);
    expect(done).toEqual(['ack']);
    expect(await seen()).toEqual([1]);
  });

  test('that gave up is acknowledged when it is kept, not before', async () => {
    const before = (await deadLetters()) ?? 0;
    const { message, seen } = messageWith({ users: ['nobody'] }, deadLetters);
    await handle('fieldbell-replan-dead', [message]);
    expect(await seen()).toEqual([before + 1]);
  });

  test('that fails comes again later, and holds up no other', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const study = await sleepStudy(daily);
    await pendingOf(study.responder);
    await env.DB.exec('delete from scheduled_notification');
    const broken = messageWith({ users: null } as never, deadLetters);
    const sound = messageWith({ users: [study.responder.id] }, deadLetters);
    await handle('fieldbell-replan', [broken.message, sound.message]);
    expect(broken.done).toEqual([{ delaySeconds: expect.any(Number) }]);
    expect(sound.done).toEqual(['ack']);
    expect(await pendingRows(study.responder.id)).toBe(1);
  });
});
