import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { reconcile } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const zonesOf = async (person: Person, user = 'me') =>
  (await person.get(`/user/${user}/time-zones`)).body.timeZones;

test('each zone that reminders went by is listed, with where it came from, newest first', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await pendingOf(chidi);
  later(minutes);
  await study.owner.patch(`/investigation/${study.id}`, { timeZone: 'Africa/Lagos' });
  later(minutes);
  await chidi.patch('/user/me', { timeZone: 'Europe/Berlin' });
  later(minutes);
  await newPhone(chidi, 'Asia/Tokyo');
  later(minutes);
  const [device] = (await chidi.get('/user/me/devices')).body.devices;
  await chidi.patch(`/device/${device.identifier}`, { timeZone: 'Asia/Tokyo' });
  await chidi.patch(`/device/${device.identifier}`, { timeZone: 'Asia/Seoul' });
  later(minutes);
  await chidi.delete(`/device/${device.identifier}`);
  later(minutes);
  await chidi.patch('/user/me', { timeZone: null });
  const expected = [
    { timeZone: 'Africa/Lagos', since: '2027-03-01T08:06:00.000Z', from: 'study' },
    { timeZone: 'Europe/Berlin', since: '2027-03-01T08:05:00.000Z', from: 'user' },
    { timeZone: 'Asia/Seoul', since: '2027-03-01T08:04:00.000Z', from: 'device' },
    { timeZone: 'Asia/Tokyo', since: '2027-03-01T08:03:00.000Z', from: 'device' },
    { timeZone: 'Europe/Berlin', since: '2027-03-01T08:02:00.000Z', from: 'user' },
    { timeZone: 'Africa/Lagos', since: '2027-03-01T08:01:00.000Z', from: 'study' },
    { timeZone: 'Europe/Paris', since: '2027-03-01T08:00:00.000Z', from: 'study' },
  ];
  expect(await zonesOf(chidi)).toEqual(expected);
  for (const staff of [study.owner, study.editor]) expect(await zonesOf(staff, chidi.id)).toEqual(expected);

  expectProblem(await study.other.get(`/user/${chidi.id}/time-zones`), 'resource.not-found');
  expectProblem(await (await signUp('Eve')).get(`/user/${chidi.id}/time-zones`), 'resource.not-found');
  await chidi.delete(`/investigation/${study.id}/member/me`);
  expectProblem(await study.owner.get(`/user/${chidi.id}/time-zones`), 'resource.not-found');
});

test('staff see the zones of their own study, not those of others', async () => {
  setClock(startOfTests);
  const [sleep, work] = [await sleepStudy(), await sleepStudy()];
  await work.owner.patch(`/investigation/${work.id}`, { timeZone: 'Asia/Tokyo' });
  later(minutes);
  await work.owner.post(`/investigation/${work.id}/member`, { user: sleep.responder.id, role: 'responder' });
  expect(await zonesOf(sleep.owner, sleep.responder.id)).toMatchObject([{ timeZone: 'Europe/Paris' }]);
  expect(await zonesOf(work.owner, sleep.responder.id)).toMatchObject([{ timeZone: 'Asia/Tokyo' }]);
  expect(await zonesOf(sleep.responder)).toMatchObject([
    { timeZone: 'Asia/Tokyo', since: '2027-03-01T08:01:00.000Z' },
    { timeZone: 'Europe/Paris', since: '2027-03-01T08:00:00.000Z' },
  ]);
});

test('a phone that somebody else registers takes its zone along', async () => {
  setClock(startOfTests);
  const [ada, dana] = [await signUp('Ada', { timeZone: 'Europe/Rome' }), await signUp('Dana')];
  const phone = { platform: 'android', token: 'one-phone-for-both', timeZone: 'Asia/Tokyo' };
  await ada.post('/user/me/device', phone);
  later(minutes);
  await dana.post('/user/me/device', phone);
  expect(await zonesOf(ada)).toMatchObject([
    { timeZone: 'Europe/Rome', from: 'user', since: '2027-03-01T08:01:00.000Z' },
    { timeZone: 'Asia/Tokyo', from: 'device' },
    { timeZone: 'Europe/Rome', from: 'user' },
  ]);
  expect(await zonesOf(dana)).toMatchObject([{ timeZone: 'Asia/Tokyo', from: 'device' }]);
});

test('the last hundred are kept, and go with the user', async () => {
  setClock(startOfTests);
  const ada = await signUp('Ada');
  const zones = ['Europe/Rome', 'Europe/Oslo'];
  for (let n = 0; n < 103; n++) {
    later(minutes);
    await ada.patch('/user/me', { timeZone: zones[n % 2] });
  }
  const found = await zonesOf(ada);
  expect(found).toHaveLength(100);
  expect(found.at(-1)).toMatchObject({ since: '2027-03-01T08:04:00.000Z' });
  const rows = () =>
    env.DB.prepare('select count(*) as n from zone_change where of_id = ?').bind(ada.id).first('n');
  await reconcile({ ...createServices(env), log: () => {} });
  expect(await zonesOf(ada)).toEqual(found);
  expect(await rows()).toBe(100);
  await ada.delete('/user/me');
  expect(await rows()).toBe(0);
});
