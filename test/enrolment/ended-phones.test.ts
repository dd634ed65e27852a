import { beforeEach, expect, test } from 'vitest';
import { ringAt } from '../reminders/support/nudges.ts';
import { enrol, newParticipant, participantOf } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import { browserToken, inboxOf, subscribe } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { armedFor, daily, history } from '../support/worker/reminders.ts';
import { newPhone, send, signUp, sleepStudy, world } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

let study: Study;
let chidi: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy(daily);
  chidi = await newParticipant(world, study.owner, study.id, { name: 'Chidi' });
});

/** The participant's browser, reminded of the study. */
async function browserOf(person: Person) {
  const subscription = await subscribe(world, (await send('/push/key')).body.publicKey);
  const token = JSON.stringify(subscription);
  created(await person.post('/user/me/device', { platform: 'web', token, timeZone: 'Europe/Paris' }));
  return { token, inbox: () => inboxOf(world, browserToken(subscription)) };
}

const relink = async () =>
  created(await study.owner.post(`/investigation/${study.id}/member/${chidi.id}/relink`)).code as string;

const attentionOf = async (person: Person) =>
  (await study.owner.get(`/investigation/${study.id}/compliance?user=${person.id}`)).body.participants[0]
    .attention;

/** The history's entry of this evening. */
async function evening(person: Person) {
  await armedFor(person, new Date(due).toISOString());
  await ringAt(person, due);
  return (await history(person)).find(({ on }) => on === '2027-03-01');
}

test('a code for a new phone ends the pushes of the old ones, of browsers and of apps', async () => {
  const [browser, phone] = [await browserOf(chidi), await newPhone(chidi)];
  const code = await relink();
  expect((await chidi.get('/user/me/devices')).body.devices, 'until it is used').toHaveLength(2);
  const onNewPhone = participantOf(world, await enrol(world, code));
  expect((await onNewPhone.get('/user/me/devices')).body.devices).toEqual([]);
  expect(await attentionOf(chidi)).toContain('unreachable');
  expect(await evening(onNewPhone)).toMatchObject({ state: 'skipped', reason: 'no-device' });
  expect([...(await browser.inbox()), ...(await phone.inbox())]).toEqual([]);
});

test('the new phone is reminded, though the old one had the reminders until then', async () => {
  const old = await browserOf(chidi);
  const onNewPhone = participantOf(world, await enrol(world, await relink()));
  const browser = await browserOf(onNewPhone);
  expect(await evening(onNewPhone)).toMatchObject({ state: 'sent' });
  expect(await browser.inbox()).toHaveLength(1);
  expect(await old.inbox()).toEqual([]);
  expect(await attentionOf(chidi)).not.toContain('unreachable');
});

test('a repeat of the request that used the code leaves the new phone as it is', async () => {
  const code = await relink();
  const secret = 'a'.repeat(32);
  const onNewPhone = participantOf(world, await enrol(world, code, { secret }));
  await browserOf(onNewPhone);
  expect((await enrol(world, code, { secret })).status).toBe(200);
  expect((await onNewPhone.get('/user/me/devices')).body.devices).toHaveLength(1);
});

test('a participant who ends their tokens, since the phone is lost, ends its pushes', async () => {
  const browser = await browserOf(chidi);
  const phone = await newPhone(chidi);
  expect((await chidi.delete('/user/me/tokens')).status).toBe(204);
  expect(await attentionOf(chidi)).toContain('unreachable');
  await armedFor(chidi, new Date(due).toISOString());
  await ringAt(chidi, due);
  expect([...(await browser.inbox()), ...(await phone.inbox())]).toEqual([]);
  const [row] = (await study.owner.get(`/survey/${study.survey}/notifications?user=${chidi.id}`)).body
    .notifications;
  expect(row).toBeDefined();
});

test('the old phone cannot come back by a token that a slow process has not yet seen end', async () => {
  const { token } = await browserOf(chidi);
  // Another isolate has looked the token up a moment ago.
  const slow = newApp({});
  const post = () =>
    slow.send('/user/me/device', {
      method: 'POST',
      token: chidi.token,
      body: { platform: 'web', token, timeZone: 'Europe/Paris' },
    });
  expect((await post()).status).toBe(200);
  const onNewPhone = participantOf(world, await enrol(world, await relink()));
  later(1);
  expectProblem(await post(), 'auth.token-invalid');
  expect((await onNewPhone.get('/user/me/devices')).body.devices).toEqual([]);
});

test('a phone of the same person in the provider’s care stays: nobody ends its tokens here', async () => {
  const ada = await signUp('Ada');
  await newPhone(ada);
  expectProblem(await ada.delete('/user/me/tokens'), 'action.forbidden');
  expect((await ada.get('/user/me/devices')).body.devices).toHaveLength(1);
});

test('the zone of an ended phone goes with it', async () => {
  await newPhone(chidi, 'Asia/Tokyo');
  later(minutes);
  const onNewPhone = participantOf(world, await enrol(world, await relink()));
  const [zone] = (await onNewPhone.get('/user/me/time-zones')).body.timeZones;
  expect(zone).toMatchObject({ timeZone: 'Europe/Paris', from: 'study' });
});
