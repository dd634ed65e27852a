import { eventually } from '../../support/eventually.ts';
import { signUp } from '../../support/people.ts';
import { inboxOf, plantFault } from '../../support/phones.ts';
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
}
