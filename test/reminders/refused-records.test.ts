import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { servicesOf } from '../../src/platform/cloudflare/services.ts';
import type { PushMessage } from '../../src/services.ts';
import type { Person } from '../support/people.ts';
import { refuseRecordsOf, takeRecords } from '../support/reminder-rows.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { carryOut } from '../support/worker/reminder-tables.ts';
import { alarmOf, daily, history, pendingOf, ring, tick } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/*
 * The promise of a push, whatever the database refuses and whatever dies: it comes, once more at most for each record that
 * was refused or lost, under the same collapse id, and the history has it once.
 */

const due = Date.parse('2027-03-01T20:30:00.000Z');

afterEach(() => {
  vi.restoreAllMocks();
});

/** Between the tries of a record nobody waits here; the bounds of whole steps stay. */
function beImpatient() {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
    setTimeout(work, ms > 100 && ms < 15_000 ? 0 : ms)) as typeof setTimeout);
}

/** Chidi and Dana are reminded at the same minute. `duringPush` happens before the relay answers. */
async function evening(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: chidi, other: dana } = study;
  const phones = [await newPhone(chidi, 'Europe/Paris'), await newPhone(dana, 'Europe/Paris')];
  for (const person of [chidi, dana]) await pendingOf(person);
  const pushed: PushMessage[] = [];
  let duringPush: (() => unknown) | undefined;
  const send = async (message: PushMessage) => {
    pushed.push(message);
    await duringPush?.();
    return { state: 'sent', messageId: `message ${pushed.length}` } as const;
  };
  vi.spyOn(servicesOf(env).push, 'send').mockImplementation(send);
  const { results } = await env.DB.prepare('select id, endpoint from device').all<Record<string, string>>();
  const endpoints = phones.map(({ id }) => results.find((one) => one.id === id)?.endpoint);
  beImpatient();
  setClock(due);
  return {
    study,
    chidi,
    dana,
    send,
    /** Their pushes by occurrence: how often each came. */
    pushesTo: (person: Person) => {
      const own = pushed.filter(({ endpoint }) => endpoint === endpoints[person === chidi ? 0 : 1]);
      const byOccurrence = Map.groupBy(own, ({ collapseId }) => collapseId);
      return [...byOccurrence.values()].map((some) => some.length);
    },
    whileItIsPushed: (work: (() => unknown) | undefined) => {
      duringPush = work;
    },
  };
}

const onFirst = async (of: Person) => (await history(of)).filter(({ on }) => on === '2027-03-01');

/** As many minutes of the service as that, with each alarm that is set. */
async function pass(people: Person[], count: number, step = minutes) {
  for (let n = 0; n < count; n++) {
    later(step);
    for (const person of people) await ring(person).catch(() => {});
    await tick().catch(() => {});
  }
}

async function expectSentOnce(of: Person) {
  expect(await onFirst(of)).toMatchObject([
    { state: 'sent', deliveries: [{ messageId: expect.any(String) }] },
  ]);
  expect((await history(of)).filter(({ state }) => state === 'scheduled')).toMatchObject([
    { on: '2027-03-02' },
  ]);
}

test('while the database takes no writes nobody gets a reminder twice, and everybody theirs once it does', async () => {
  const { chidi, dana, pushesTo } = await evening();
  const takeWrites = refuseWrites();
  await pass([chidi, dana], 6, 20 * minutes);
  for (const person of [chidi, dana]) expect(pushesTo(person)).toEqual([]);
  takeWrites();
  await pass([chidi, dana], 3);
  for (const person of [chidi, dana]) {
    expect(pushesTo(person)).toEqual([1]);
    await expectSentOnce(person);
  }
  setClock(due + days);
  await pass([chidi, dana], 2);
  for (const person of [chidi, dana]) expect(pushesTo(person)).toEqual([1, 1]);
});

test('a push whose record the database refuses is not repeated while it does, and once more at most afterwards', async () => {
  const { chidi, dana, pushesTo, whileItIsPushed } = await evening();
  let takeWrites = () => {};
  whileItIsPushed(() => {
    takeWrites();
    takeWrites = refuseWrites();
  });
  await ring(chidi).catch(() => {});
  whileItIsPushed(undefined);
  expect(pushesTo(chidi)).toEqual([1]);
  await pass([chidi, dana], 5, 20 * minutes);
  expect(pushesTo(chidi)).toEqual([1]);
  takeWrites();
  await pass([chidi, dana], 60);
  expect(pushesTo(chidi)[0]).toBeLessThanOrEqual(2);
  expect(pushesTo(chidi)).toHaveLength(1);
  expect(pushesTo(dana)).toEqual([1]);
  for (const person of [chidi, dana]) await expectSentOnce(person);
  const before = pushesTo(chidi);
  setClock(due + days);
  await pass([chidi, dana], 2);
  expect(pushesTo(chidi)).toEqual([...before, 1]);
});

test('so is a nudge, and the next one comes at its time', async () => {
  const { chidi, pushesTo, whileItIsPushed } = await evening({ ...daily, followUps: { every: 60, max: 2 } });
  await ring(chidi);
  expect(pushesTo(chidi)).toEqual([1]);
  setClock(due + 60 * minutes);
  let takeWrites = () => {};
  whileItIsPushed(() => {
    takeWrites();
    takeWrites = refuseWrites();
  });
  await ring(chidi).catch(() => {});
  whileItIsPushed(undefined);
  await pass([chidi], 3, 5 * minutes);
  expect(pushesTo(chidi)).toEqual([2]);
  takeWrites();
  await pass([chidi], 40);
  const [after = 0] = pushesTo(chidi);
  expect(after).toBeLessThanOrEqual(3);
  expect((await onFirst(chidi))[0].followUps).toMatchObject([{ kind: 'nudge', state: 'sent' }]);
  setClock(due + 120 * minutes);
  await pass([chidi], 2);
  expect(pushesTo(chidi)).toEqual([after + 1]);
  expect((await onFirst(chidi))[0].followUps).toHaveLength(2);
});

test("one person's record that the database refuses holds up nobody else, and is no reason to push without end", async () => {
  const { chidi, dana, pushesTo } = await evening();
  await carryOut(refuseRecordsOf(chidi.id));
  await Promise.all([ring(chidi).catch(() => {}), ring(dana)]);
  await expectSentOnce(dana);
  await pass([chidi, dana], 30, 10 * minutes);
  expect(pushesTo(dana)).toEqual([1]);
  const [before = 0] = pushesTo(chidi);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(15);
  await carryOut(takeRecords());
  await pass([chidi, dana], 40);
  expect(pushesTo(chidi)).toHaveLength(1);
  expect(pushesTo(chidi)[0]).toBeLessThanOrEqual(before + 1);
  await expectSentOnce(chidi);
});

test('an object that ends while it pushes repeats the push once at most, and the history has it once', async () => {
  const { chidi, dana, pushesTo, whileItIsPushed } = await evening();
  whileItIsPushed(() => {
    whileItIsPushed(undefined);
    return runInDurableObject(alarmOf(chidi), (_, state) => state.abort('ended by the test')).catch(() => {});
  });
  await ring(chidi).catch(() => {});
  // Its alarm went with it. The sweep finds what it left.
  await pass([], 4);
  await pass([chidi, dana], 60);
  expect(pushesTo(chidi)).toHaveLength(1);
  expect(pushesTo(chidi)[0]).toBeLessThanOrEqual(2);
  expect(pushesTo(dana)).toEqual([1]);
  for (const person of [chidi, dana]) await expectSentOnce(person);
});
