import { eventually } from '../../support/eventually.ts';
import { type Person, signUp } from '../../support/people.ts';
import { browserToken, inboxOf, plantFault, subscribe } from '../../support/phones.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** Phones: registered, moved between people, disabled and healed, and out of reach. */
export async function devices(world: ServiceWorld): Promise<void> {
  const ada = await signUp(world, 'Ada devices');
  const bruno = await signUp(world, 'Bruno devices');
  const phone = { platform: 'android', token: 'a-phone-of-two-people', timeZone: 'Europe/Paris' };
  const { body } = await ada.post('/user/me/device', phone);
  await ada.post('/user/me/device', { ...phone, timeZone: 'Asia/Tokyo' });
  await ada.get('/user/me/devices');
  await ada.get('/user/me');
  await bruno.get(`/user/${ada.id}/devices`);
  await bruno.patch(`/device/${body.identifier}`, { timeZone: 'UTC' });
  await bruno.delete(`/device/${body.identifier}`);
  await ada.post(`/device/${body.identifier}/test`);
  world.transcript.note(
    'the test push',
    (await inboxOf(world, phone.token)).map(({ title, body: text }) => [title, text]),
  );

  await bruno.post('/user/me/device', phone);
  await ada.get('/user/me/devices');
  await ada.post('/user/me/device', { ...phone, platform: 'pager' });
  await ada.post('/user/me/device', { ...phone, timeZone: 'Mars/Olympus' });
  await ada.post('/user/me/device', { platform: 'ios' });

  const second = await ada.post('/user/me/device', { ...phone, platform: 'ios', token: 'ab'.repeat(32) });
  await ada.patch(`/device/${second.body.identifier}`, { token: 'cd'.repeat(32) });
  await ada.patch(`/device/${second.body.identifier}`, { timeZone: '' });
  await ada.delete(`/device/${second.body.identifier}`);
  await ada.delete(`/device/${second.body.identifier}`);

  const unlucky = { ...phone, token: 'a-phone-without-luck' };
  await plantFault(world, {
    action: 'CreatePlatformEndpoint',
    code: 'InternalError',
    status: 500,
    token: unlucky.token,
    times: 1,
  });
  await ada.post('/user/me/device', unlucky);
  await world.transcript.aside(() =>
    eventually('SNS is back', async () => (await ada.post('/user/me/device', unlucky)).status === 201),
  );
  await ada.get('/user/me/devices');
  await browsers(world, ada);
}

/** A browser: encrypted and signed pushes, its one form, subscriptions that are none, and the end of one. */
async function browsers(world: ServiceWorld, of: Person): Promise<void> {
  const { publicKey } = (await world.send('/push/key')).body;
  const browser = await subscribe(world, publicKey);
  const { endpoint, keys } = browser;
  const web = { platform: 'web', timeZone: 'Europe/Paris', language: 'fr' };
  const register = (token: object) => of.post('/user/me/device', { ...web, token: JSON.stringify(token) });
  const { body } = await register(browser);
  await register({ keys, endpoint });
  await register({ keys, endpoint: 'https://169.254.169.254/latest' });
  await register({ keys: { ...keys, p256dh: keys.auth }, endpoint });
  await register({ keys: { ...keys, p256dh: `${keys.p256dh.slice(0, -4)}AAAA` }, endpoint });

  const test = () => of.post(`/device/${body.identifier}/test`);
  const token = browserToken(browser);
  await test();
  world.transcript.note(
    'the test push of the browser',
    (await inboxOf(world, token)).map(
      ({ platform, title, body: text, data, attributes: { TTL, Urgency } }) => [
        platform,
        title,
        text,
        data,
        TTL,
        Urgency,
      ],
    ),
  );
  for (const status of [403, 429, 503, 410]) {
    await plantFault(world, { action: 'WebPush', token, status });
    await test();
  }
  await plantFault(world, { action: 'WebPush', token, kind: 'reset' });
  await test();
  await of.get(`/device/${body.identifier}`);
  await register(browser);
  await of.delete(`/device/${body.identifier}`);
}
