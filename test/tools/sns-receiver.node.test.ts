import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import type { ReceivedCall } from '../../tools/fakes/sns/receiver.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';

/*
 * The receiver of webhooks beside the local SNS: its page shows each call, and whether the signature holds.
 */

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

async function start(stateFile?: string) {
  const sns = await startSns({ ...snsDefaults, port: 0, ...(stateFile && { stateFile }) });
  const url = `${sns.url}/webhooks`;
  return {
    close: sns.close,
    url,
    learn: (secret: unknown) =>
      fetch(`${url}/secrets`, { method: 'POST', body: JSON.stringify({ identifier: 'a', secret }) }),
    list: async (): Promise<ReceivedCall[]> => (await fetch(`${url}/calls`)).json() as never,
    async call(secret: string, { id = 'msg_1', body = '{"changes":[]}', at = new Date(), query = '' } = {}) {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, '{"changes":[]}'),
      };
      return (await fetch(`${url}/calls${query}`, { method: 'POST', headers, body })).status;
    },
  };
}

test('lists calls newest first, and says whether the signature holds', async () => {
  const receiver = await start();
  onTestFinished(receiver.close);
  expect(await receiver.call(secretOf(1))).toBe(204);
  expect(await receiver.list()).toMatchObject([{ signature: 'unknown' }]);
  expect((await receiver.learn(secretOf(1))).status).toBe(204);
  await receiver.call(secretOf(1));
  await receiver.call(secretOf(2));
  await receiver.call(secretOf(1), { body: '{"changes":[1]}' });
  await receiver.call(secretOf(1), { id: 'msg_2' });
  await receiver.call(secretOf(1), { at: new Date(Date.now() - 3_600_000) });
  expect(await receiver.call(secretOf(1), { query: '?status=503' })).toBe(503);
  // A second secret, as after its replacement.
  await receiver.learn(secretOf(2));
  await receiver.call(secretOf(2));
  const calls = await receiver.list();
  expect(calls.map(({ signature }) => signature)).toEqual([
    'holds',
    'holds',
    ...Array(3).fill('does not hold'),
    // Calls that came before their secret are judged when it comes.
    'holds',
    'holds',
    'holds',
  ]);
  expect(calls.map(({ status }) => status)).toEqual([204, 503, ...Array(6).fill(204)]);
  expect(calls[0]).toMatchObject({ id: 'msg_1', body: { changes: [] } });
});

test('keeps secrets over a restart, readable by their owner alone, and lists none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-receiver-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = await start(join(folder, 'sns.json'));
  await first.learn(secretOf(3));
  await first.close();
  expect((await stat(join(folder, 'webhook-secrets.json'))).mode & 0o777).toBe(0o600);
  const again = await start(join(folder, 'sns.json'));
  onTestFinished(again.close);
  await again.call(secretOf(3));
  expect(await again.list()).toMatchObject([{ signature: 'holds' }]);
  expect(await (await fetch(`${again.url}/calls`)).text()).not.toContain('whsec_');
});

test('refuses what is no secret, and has a page', async () => {
  const { url, learn, close } = await start();
  onTestFinished(close);
  for (const wrong of [undefined, 'secret', 7]) expect((await learn(wrong)).status).toBe(400);
  const page = await fetch(url);
  expect([page.url, page.status]).toEqual([`${url}/`, 200]);
  expect(await page.text()).toContain('local receiver');
  for (const file of ['webhooks.js', 'webhooks.css', '../styles/tokens.css', '../phones.css'])
    expect((await fetch(new URL(file, page.url))).status, file).toBe(200);
});
