import { describe, expect, test } from 'vitest';
import { copyDelayMs } from '../../examples/phone/logic/copies.ts';
import { createPhone } from '../../examples/phone/logic/phone.ts';
import {
  type Copy,
  type Notice,
  type NotificationSystem,
  reminderOf,
} from '../../examples/phone/logic/system.ts';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { clientOf, lost, send } from '../support/worker/client.ts';
import { hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const texts = { title: 'Sleep diary', body: 'How was your night?' };

/** A phone with a screen: notices under one identifier are one, and each that appears rings. */
function newHandset() {
  const handset = {
    token: `handset-${crypto.randomUUID()}`,
    isPermitted: true,
    questions: [] as string[],
    copies: new Map<string, Copy>(),
    screen: new Map<string, Notice>(),
    rings: [] as string[],
    show(notice: Notice) {
      handset.screen.set(notice.notification, notice);
      handset.rings.push(notice.notification);
    },
    /** Shows the copies whose time has come. */
    passTime(): Copy[] {
      const ripe = [...handset.copies.values()].filter(({ at }) => at <= Date.now());
      for (const copy of ripe) {
        handset.copies.delete(copy.notification);
        handset.show(copy);
      }
      return ripe;
    },
  };
  const system: NotificationSystem = {
    prepare: async () => void handset.questions.push('channels'),
    permitted: async () => {
      handset.questions.push('permission');
      return handset.isPermitted;
    },
    pushToken: async () => ({ platform: 'android', token: handset.token }),
    copies: async () => [...handset.copies.values()],
    schedule: async (copy) => void handset.copies.set(copy.notification, copy),
    cancel: async (notification) => void handset.copies.delete(notification),
    dismiss: async (notification) => void handset.screen.delete(notification),
  };
  return { handset, system };
}

/** The app of a person, on a phone whose network comes and goes. */
function newApp(person: Person) {
  const { handset, system } = newHandset();
  const network = {
    isThere: true,
    /** Answers to requests that change something, which do not arrive. */
    losesAnswers: 0,
    /** Keeps each answer on its way until this is done. */
    delay: Promise.resolve(),
    sent: [] as string[],
    answered: [] as number[],
  };
  const through = async (request: Request) => {
    if (!network.isThere) return lost();
    const { pathname } = new URL(request.url);
    network.sent.push(`${request.method} ${pathname.replaceAll(/[0-9a-f]{32}/g, ':id')}`);
    const answer = await send(request);
    await network.delay;
    if (request.method === 'POST' && network.losesAnswers-- > 0) return lost();
    network.answered.push(answer.status);
    return answer;
  };
  const { client } = clientOf(person.token, through, { retries: 0 });
  const kept = new Map<string, string>();
  const store = {
    getItem: async (key: string) => kept.get(key) ?? null,
    setItem: async (key: string, text: string) => void kept.set(key, text),
  };
  const about = { name: person.name, timeZone: 'Europe/Paris', language: 'fr-FR' };
  const open = () => createPhone({ client, system, store, about: () => about });
  return { phone: open(), reopen: open, handset, network, about };
}

/** An evening before its reminder, and the responder's app. */
async function evening(reminders: object = {}) {
  setClock(startOfTests);
  const study = await sleepStudy({ ...daily, expiresAfter: 60, ...reminders });
  const { responder } = study;
  await pendingOf(responder);
  const app = newApp(responder);
  await app.phone.start();
  return { study, responder, ...app };
}

type App = Awaited<ReturnType<typeof evening>>;

/** Lets the reminder of now go out, and puts the last push on the screen; the app hears of it. */
async function push({ responder, handset, phone }: App, isHeard = true): Promise<Notice> {
  await ring(responder);
  const { title, body, data } = (await inboxOf(world, handset.token)).at(-1) ?? { data: null };
  const reminder = reminderOf(data);
  if (!reminder || title === undefined || body === undefined) throw new Error('no push of a reminder');
  const notice = { ...reminder, title, body };
  handset.show(notice);
  if (isHeard) await phone.arrived(reminder);
  return notice;
}

const devicesOf = async (person: Person) => (await person.get('/user/me/devices')).body.devices;

const entryOf = async (responder: Person, { notification }: Pick<Notice, 'notification'>) =>
  (await responder.get(`/notification/${notification}`)).body;

describe('registration', () => {
  test('channels exist before the question for permission, and the phone is registered with its zone and language', async () => {
    const { responder, handset } = await evening();
    expect(handset.questions).toEqual(['channels', 'permission']);
    expect(await devicesOf(responder)).toMatchObject([
      { platform: 'android', timeZone: 'Europe/Paris', language: 'fr-FR', enabled: true },
    ]);
  });

  test('each start repeats it: there is one phone, and its new zone counts', async () => {
    const { responder, phone, about } = await evening();
    about.timeZone = 'America/Lima';
    await phone.start();
    expect(await devicesOf(responder)).toMatchObject([{ timeZone: 'America/Lima' }]);
  });

  test('without permission no phone is registered, and one that had it is removed: the study sees it', async () => {
    const { responder, phone, handset } = await evening();
    handset.isPermitted = false;
    expect((await phone.start()).device).toBeNull();
    expect(await devicesOf(responder)).toEqual([]);
    handset.isPermitted = true;
    expect((await phone.start()).device).not.toBeNull();
    expect(await devicesOf(responder)).toHaveLength(1);
  });

  test('a start without a network keeps what is known', async () => {
    const { phone, handset, network } = await evening();
    const { device } = await phone.start();
    const copies = [...handset.copies.keys()];
    network.isThere = false;
    expect((await phone.start()).device).toBe(device);
    expect([...handset.copies.keys()]).toEqual(copies);
  });
});

describe('the agenda as local notifications', () => {
  test('copies have the texts of the phone, the identifier of the push, and come after it', async () => {
    const app = await evening({ translations: { fr: { subject: 'Journal', body: 'Comment va ?' } } });
    const first = [...app.handset.copies.values()].sort((one, other) => one.at - other.at)[0];
    expect(app.handset.copies.size).toBe(32);
    expect(first).toMatchObject({ title: 'Journal', body: 'Comment va ?', at: due + copyDelayMs });
    setClock(due);
    expect((await push(app)).notification).toBe(first?.notification);
  });

  test('online, each reminder rings once: the push that arrives cancels its copy', async () => {
    const app = await evening();
    setClock(due);
    await push(app);
    later(copyDelayMs);
    app.handset.passTime();
    expect(app.handset.rings).toHaveLength(1);
  });

  test('a push that arrives without a way to the service cancels its copy too', async () => {
    const app = await evening();
    setClock(due);
    app.network.isThere = false;
    await push(app);
    later(copyDelayMs);
    expect(app.handset.passTime()).toEqual([]);
  });

  test('an agenda that was read before the push, and arrives after it, brings no copy back', async () => {
    const app = await evening();
    setClock(due - 1000);
    const { promise, resolve } = Promise.withResolvers<void>();
    app.network.delay = promise;
    app.network.sent.length = 0;
    const refreshed = app.phone.refresh();
    await eventually('the agenda is asked for', async () => app.network.sent.length === 1);
    setClock(due);
    app.network.isThere = false;
    await push(app);
    resolve();
    await refreshed;
    later(copyDelayMs);
    expect(app.handset.passTime()).toEqual([]);
  });

  test('offline, the copy is shown, and the push that comes late takes its place', async () => {
    const app = await evening();
    setClock(due);
    app.network.isThere = false;
    later(copyDelayMs);
    const [copy] = app.handset.passTime();
    expect(copy).toMatchObject(texts);
    await push(app, false);
    expect([...app.handset.screen.keys()]).toEqual([copy?.notification]);
  });

  test('copies follow changes of the study, and none is left of reminders that will not come', async () => {
    const { study, phone, handset } = await evening();
    await remind(study, { ...daily, recurrence: '0 8 * * *', expiresAfter: 60 });
    await pendingOf(study.responder);
    await phone.refresh();
    const times = [...handset.copies.values()].map(({ at }) => new Date(at).toISOString().slice(11, 16));
    expect(new Set(times)).toEqual(new Set(['07:02', '06:02']));
    await remind(study, null);
    await pendingOf(study.responder, 0);
    await phone.refresh();
    expect(handset.copies.size).toBe(0);
  });

  test('an agenda that has not changed is not sent again', async () => {
    const { phone, network, handset } = await evening();
    const before = [...handset.copies.values()];
    network.answered.length = 0;
    await phone.refresh();
    expect(network.answered).toEqual([304]);
    expect([...handset.copies.values()]).toEqual(before);
  });

  test('a copy whose reminder expires first is not made', async () => {
    const { handset } = await evening({ expiresAfter: 1 });
    expect(handset.copies.size).toBe(0);
  });
});

describe('receipts', () => {
  test('shown, opened and dismissed have the time at which they happened, sent or kept', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    app.network.isThere = false;
    later(minutes);
    await app.phone.dismissed(notice);
    later(minutes);
    await app.phone.opened(notice);
    later(minutes);
    await app.phone.opened(notice);
    expect((await entryOf(app.responder, notice)).openedAt).toBeUndefined();
    app.network.isThere = true;
    // The app was closed meanwhile: what it kept is in its store.
    await app.reopen().refresh();
    expect(await entryOf(app.responder, notice)).toMatchObject({
      shownAt: '2027-03-01T20:30:00.000Z',
      dismissedAt: '2027-03-01T20:31:00.000Z',
      openedAt: '2027-03-01T20:32:00.000Z',
    });
    const { length } = app.network.sent.filter((request) => request === 'POST /user/me/receipts');
    await app.phone.refresh();
    expect(app.network.sent.filter((request) => request === 'POST /user/me/receipts')).toHaveLength(length);
  });

  test('one that the service refuses leaves the list too', async () => {
    const { phone, network } = await evening();
    const unknown = { notification: 'f'.repeat(31).concat('0'), survey: 'x', investigation: 'x' };
    await phone.arrived(unknown);
    network.sent.length = 0;
    await phone.refresh();
    expect(network.sent).toEqual(['GET /user/me/agenda']);
  });

  test('a test push has none: it is about no reminder', async () => {
    const app = await evening();
    const [{ identifier }] = await devicesOf(app.responder);
    await app.responder.post(`/device/${identifier}/test`);
    const [pushed] = await inboxOf(world, app.handset.token);
    expect(pushed?.data).toEqual({ test: 'true' });
    expect(reminderOf(pushed?.data)).toBeNull();
  });
});

describe('"Later"', () => {
  test('takes the notice away, and the service pushes it again under the same identifier', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    expect(await app.phone.later(notice)).toEqual({ nextAt: '2027-03-01T21:00:00.000Z' });
    expect(app.handset.screen.size).toBe(0);
    setClock('2027-03-01T21:00:00.000Z');
    expect((await push(app)).notification).toBe(notice.notification);
  });

  test('says why there is no other push', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    later(45 * minutes);
    expect(await app.phone.later(notice)).toEqual({ over: 'notification.expired' });
  });

  test('works without a network, until the occurrence expires', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    app.network.isThere = false;
    expect(await app.phone.later(notice)).toEqual({ nextAt: '2027-03-01T21:00:00.000Z' });
    later(30 * minutes);
    expect(app.handset.passTime().map(({ notification }) => notification)).toEqual([notice.notification]);
    expect(await app.phone.later(notice)).toEqual({ over: 'notification.expired' });
    expect(app.handset.copies.has(notice.notification)).toBe(false);
  });

  test('said without a network becomes the service’s as soon as there is one', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    app.network.isThere = false;
    await app.phone.later(notice);
    later(10 * minutes);
    app.network.isThere = true;
    await app.phone.refresh();
    expect(await entryOf(app.responder, notice)).toMatchObject({
      nextKind: 'snooze',
      nextAt: '2027-03-01T21:00:00.000Z',
    });
    expect(app.handset.copies.has(notice.notification)).toBe(false);
  });

  test('is over when the survey is answered, and the notice is gone', async () => {
    const app = await evening();
    setClock(due);
    const notice = await push(app);
    app.network.isThere = false;
    await app.phone.later(notice);
    app.handset.show(notice);
    await app.phone.answered(answer(app));
    expect(app.handset.screen.size).toBe(0);
    expect(app.handset.copies.has(notice.notification)).toBe(false);
    app.network.isThere = true;
    await app.phone.refresh();
    expect(await app.phone.later(notice)).toEqual({ over: 'notification.answered' });
  });
});

const answer = ({ study }: Pick<App, 'study'>, label = 'Night 1') => ({
  investigation: study.id,
  survey: study.survey,
  label,
  items: { q1: 'well' },
});

describe('answers', () => {
  test('of a morning without a network belong to the reminder of that morning', async () => {
    const app = await evening({ recurrence: '0 9 * * *', expiresAfter: 600 });
    // The reminder of 1 March at 9:00 had gone by when the study was made.
    setClock('2027-03-02T08:00:00.000Z');
    const notice = await push(app);
    app.network.isThere = false;
    later(5 * minutes);
    await app.phone.answered(answer(app));
    later(5 * hours);
    app.network.isThere = true;
    app.network.sent.length = 0;
    expect(await app.reopen().refresh()).toEqual([]);
    expect(await entryOf(app.responder, notice)).toMatchObject({
      answeredAt: '2027-03-02T08:05:00.000Z',
      answerReceivedAt: '2027-03-02T13:05:00.000Z',
    });
    // The case before its response, both before the agenda, which depends on them.
    expect(app.network.sent).toEqual([
      'POST /investigation/:id/case',
      'POST /survey/:id/response',
      'GET /user/me/agenda',
    ]);
  });

  test('are made once, whatever answers get lost', async () => {
    const { study, phone, network } = await evening();
    network.losesAnswers = 3;
    await phone.answered(answer({ study }));
    for (let n = 0; n < 4; n++) await phone.refresh();
    expect(network.losesAnswers).toBeLessThan(0);
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toHaveLength(1);
    expect((await study.owner.get(`/investigation/${study.id}/cases`)).body.cases).toHaveLength(1);
  });

  test('go out once, however often the app tries at the same time', async () => {
    const { study, phone, network } = await evening();
    network.isThere = false;
    await phone.answered(answer({ study }));
    network.isThere = true;
    network.sent.length = 0;
    await Promise.all([phone.refresh(), phone.refresh(), phone.refresh()]);
    expect(network.sent.filter((request) => request.startsWith('POST'))).toEqual([
      'POST /investigation/:id/case',
      'POST /survey/:id/response',
    ]);
  });

  test('with a time that cannot be are taken without it', async () => {
    const { study, phone, network } = await evening();
    network.isThere = false;
    setClock('2027-03-05T08:00:00.000Z');
    await phone.answered(answer({ study }));
    // The clock of the phone was days ahead.
    setClock('2027-03-02T08:00:00.000Z');
    network.isThere = true;
    expect(await phone.refresh()).toEqual([]);
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toMatchObject([{ items: { q1: 'well' }, creation: '2027-03-02T08:00:00.000Z' }]);
    expect(responses[0].givenAt).toBeUndefined();
  });

  test('to a frozen study wait, and are taken when it goes on', async () => {
    const { study, responder, phone } = await evening();
    const freeze = (status: string) =>
      study.owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'x' });
    const given = async () => (await responder.get(`/investigation/${study.id}/responses`)).body.responses;
    await freeze('frozen');
    await phone.answered(answer({ study }, 'Night 1'));
    expect(await phone.refresh()).toEqual([]);
    expect(await given()).toEqual([]);
    await freeze('active');
    expect(await phone.refresh()).toEqual([]);
    expect(await given()).toMatchObject([{ items: { q1: 'well' } }]);
  });

  test('that the service refuses are shown until the person has seen it, and hold nothing up', async () => {
    const { study, responder, phone, network } = await evening();
    network.isThere = false;
    await phone.answered(answer({ study }, 'Night 1'));
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    network.isThere = true;
    const refused = await phone.refresh();
    expect(refused.map(({ entry, code }) => [entry.kind, code])).toEqual([
      ['case', 'study.archived'],
      ['response', expect.any(String)],
    ]);
    expect(refused[1]?.entry.json).toMatchObject({ items: { q1: 'well' } });
    await study.owner.patch(`/investigation/${study.id}`, { status: 'active' });
    await phone.answered(answer({ study }, 'Night 2'));
    const { cases } = (await responder.get(`/investigation/${study.id}/cases`)).body;
    expect(cases.map(({ label }: { label: string }) => label)).toEqual(['Night 2']);
    for (const { entry } of refused) await phone.forget(entry.json.identifier);
    expect(await phone.refresh()).toEqual([]);
  });
});
