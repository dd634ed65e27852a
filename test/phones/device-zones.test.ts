import { beforeEach, expect, test } from 'vitest';
import { ringAt } from '../reminders/support/nudges.ts';
import { created, type Person } from '../support/people.ts';
import { plantFault } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { armedFor, daily, dueAt, pendingOf, tick } from '../support/worker/reminders.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let chidi: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy(daily);
  chidi = study.responder;
});

const at = (instant: string) => setClock(Date.parse(instant));

/** An app registers its phone: at its first start, and at each one after that. */
const phoneIn = (timeZone: string | null | undefined, platform = 'android') => {
  const token = `phone-${crypto.randomUUID()}`;
  let zone = timeZone;
  const start = async (now = zone) => {
    zone = now;
    const answer = await chidi.post('/user/me/device', {
      platform,
      token,
      ...(zone !== undefined && { timeZone: zone }),
    });
    expect([200, 201], answer.text).toContain(answer.status);
    return answer.body;
  };
  return { start, token };
};

const zonesOf = async (person: Person) =>
  (await person.get('/user/me/time-zones')).body.timeZones.map(
    ({ timeZone, from }: Record<string, string>) => `${timeZone} ${from}`,
  );

test("a laptop at home that registers each day leaves the traveller's reminders in Tokyo", async () => {
  const [laptop, phone] = [phoneIn('Europe/Paris', 'ios'), phoneIn('Europe/Paris')];
  await laptop.start();
  await phone.start();
  await dueAt(chidi, '2027-03-01T20:30:00.000Z');
  at('2027-03-01T08:10:00Z');
  await phone.start('Asia/Tokyo');
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  at('2027-03-01T09:00:00Z');
  await laptop.start();
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  at('2027-03-01T10:00:00Z');
  await phone.start();
  await laptop.start();
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  // Planned anew for another reason, by the zone that holds.
  await chidi.patch('/user/me', { customRemindersTime: '22:00' });
  await dueAt(chidi, '2027-03-01T13:00:00.000Z');
  expect(await zonesOf(chidi)).toEqual(['Asia/Tokyo device', 'Europe/Paris device']);
});

test('a change of the laptop is one, and so is the first registration of a third device', async () => {
  const [laptop, phone, tablet] = [phoneIn('Europe/Paris'), phoneIn('Asia/Tokyo'), phoneIn('Europe/Rome')];
  await laptop.start();
  at('2027-03-01T09:00:00Z');
  await phone.start();
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  at('2027-03-01T10:00:00Z');
  await laptop.start('Europe/London');
  await dueAt(chidi, '2027-03-01T21:30:00.000Z');
  at('2027-03-01T11:00:00Z');
  const { identifier } = await tablet.start();
  await dueAt(chidi, '2027-03-01T20:30:00.000Z');
  at('2027-03-01T11:30:00Z');
  await chidi.patch(`/device/${identifier}`, { language: 'it' });
  await phone.start();
  await dueAt(chidi, '2027-03-01T20:30:00.000Z');
  await chidi.delete(`/device/${identifier}`);
  await dueAt(chidi, '2027-03-01T21:30:00.000Z');
});

test('a phone that the push service does not know any more gives its zone no longer', async () => {
  const [laptop, phone] = [phoneIn('Europe/Paris'), phoneIn('Asia/Tokyo')];
  await laptop.start();
  at('2027-03-01T09:00:00Z');
  const { identifier } = await phone.start();
  await armedFor(chidi, '2027-03-01T12:30:00.000Z');
  await plantFault(world, { action: 'Publish', token: phone.token, code: 'EndpointDisabled' });
  await ringAt(chidi, Date.parse('2027-03-01T12:30:00.000Z'));
  expect((await chidi.get(`/device/${identifier}`)).body.enabled).toBe(false);
  at('2027-03-01T12:35:00Z');
  await tick();
  await dueAt(chidi, '2027-03-02T20:30:00.000Z');
  expect((await zonesOf(chidi))[0]).toBe('Europe/Paris device');
  await phone.start();
  await dueAt(chidi, '2027-03-02T12:30:00.000Z');
});

test('a disabled phone that is the only one keeps its zone', async () => {
  const phone = phoneIn('Asia/Tokyo');
  await phone.start();
  await plantFault(world, { action: 'Publish', token: phone.token, code: 'EndpointDisabled' });
  await armedFor(chidi, '2027-03-01T12:30:00.000Z');
  await ringAt(chidi, Date.parse('2027-03-01T12:30:00.000Z'));
  await tick();
  await dueAt(chidi, '2027-03-02T12:30:00.000Z');
});

test('a phone without a zone leaves it to the other phones, to the user, and to the study', async () => {
  const phone = phoneIn(undefined);
  const device = await phone.start();
  expect(device.timeZone).toBeNull();
  await dueAt(chidi, '2027-03-01T20:30:00.000Z');
  await chidi.patch('/user/me', { timeZone: 'Europe/London' });
  await dueAt(chidi, '2027-03-01T21:30:00.000Z');
  const other = phoneIn('Asia/Tokyo');
  await other.start();
  at('2027-03-01T08:30:00Z');
  await phone.start();
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  at('2027-03-01T08:40:00Z');
  await other.start(null);
  await dueAt(chidi, '2027-03-01T21:30:00.000Z');
  expect((await zonesOf(chidi)).slice(0, 2)).toEqual(['Europe/London user', 'Asia/Tokyo device']);
});

test('a zone is set later, and removed, and a name that is no zone is refused', async () => {
  const { identifier } = created(
    await chidi.post('/user/me/device', { platform: 'android', token: 'a-phone' }),
  );
  const path = `/device/${identifier}`;
  expect((await chidi.patch(path, { language: 'fr' })).body.timeZone).toBeNull();
  expect((await chidi.patch(path, { timeZone: 'Asia/Tokyo' })).body.timeZone).toBe('Asia/Tokyo');
  await dueAt(chidi, '2027-03-01T12:30:00.000Z');
  expect((await chidi.patch(path, { timeZone: null })).body.timeZone).toBeNull();
  await dueAt(chidi, '2027-03-01T20:30:00.000Z');
  for (const timeZone of ['Etc/Unknown', '', '+05:30', 'GMT+5', 5])
    expectProblem(await chidi.patch(path, { timeZone }), 'request.invalid');
  await pendingOf(chidi);
});
