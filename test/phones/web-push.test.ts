import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { send, signUp, world } from '../support/worker/world.ts';

const zone = 'Europe/Paris';

/** A browser subscribes, as a page makes it. */
async function subscribe(): Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }> {
  const { publicKey: applicationServerKey } = (await send('/push/key')).body;
  const answer = await fetch(`${env.SNS_ENDPOINT}web-push/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ applicationServerKey }),
  });
  return answer.json();
}

const register = (of: Person, subscription: object) =>
  of.post('/user/me/device', { platform: 'web', token: JSON.stringify(subscription), timeZone: zone });

const tokenOf = ({ endpoint }: { endpoint: string }) => endpoint.split('/').at(-1) ?? '';

test('a browser is a phone: its test push arrives, encrypted and signed', async () => {
  const ada = await signUp('Ada');
  const subscription = await subscribe();
  const { status, body } = await register(ada, subscription);
  expect(status).toBe(201);
  expect(body).toMatchObject({ platform: 'web', enabled: true });
  expect(JSON.stringify(body)).not.toContain(tokenOf(subscription));
  const pushed = await ada.post(`/device/${body.identifier}/test`);
  expect(pushed).toMatchObject({ status: 202, body: { messageId: expect.stringMatching(/^[\w-]+$/) } });
  expect(await inboxOf(world, tokenOf(subscription))).toMatchObject([
    {
      platform: 'web',
      title: 'Test',
      body: 'Reminders reach this phone.',
      data: { test: 'true' },
      attributes: { TTL: '300', Urgency: 'high', Topic: expect.stringMatching(/^[0-9a-f]{32}$/) },
      messageId: pushed.body.messageId,
    },
  ]);
});
