import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { plan } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import type { Phone } from '../support/phones.ts';
import { outdate } from '../support/reminder-rows.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb } from '../support/worker/apps.ts';
import { setClock } from '../support/worker/clock.ts';
import { carryOut, seedPast } from '../support/worker/reminder-tables.ts';
import { daily, dueAt, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/*
 * Scheduled reminders that will not come stay in the history, and are scheduled in place if their dates become due again.
 */

let study: Study;
let phone: Phone;

beforeEach(async () => {
  study = await sleepStudy(daily);
  phone = await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder);
});

/** Waits until the responder's history is this, oldest date first. */
const historyBecomes = (rows: object[]) =>
  eventually(`the history ${JSON.stringify(rows)}`, async () => {
    const found = (await history(study.responder)).toReversed();
    return JSON.stringify(brief(found)) === JSON.stringify(rows) && found;
  });

/** Waits until the reminder of a date is settled with a reason: the responder's history, oldest date first. */
const settledOn = (date: string) =>
  eventually(`${date} is settled`, async () => {
    const rows = (await history(study.responder)).toReversed();
    return rows.some(({ on, reason }) => on === date && reason !== undefined) && rows;
  });
const brief = (rows: { on: string; state: string; reason?: string }[]) =>
  rows.map(({ on, state, reason }) => ({ on, state, ...(reason && { reason }) }));

const surveyPath = () => `/survey/${study.survey}`;
const studyPath = () => `/investigation/${study.id}`;
const today = '2027-03-01';

describe.each([
  ['of an archived survey', surveyPath, { status: 'archived' }, { status: 'active' }, 'survey-archived', []],
  ['of an archived study', studyPath, { status: 'archived' }, { status: 'active' }, 'survey-archived', []],
  [
    'before the first date of the series',
    studyPath,
    { startsOn: '2027-06-01' },
    { startsOn: '2027-03-01' },
    'series-ended',
    [{ on: '2027-06-01', state: 'scheduled' }],
  ],
])('what was scheduled %s', (_, path, change, back, reason, next) => {
  test('stays in the history with its reason, and comes back in place', async () => {
    const { owner, responder } = study;
    const [before] = await historyBecomes([{ on: today, state: 'scheduled' }]);
    await owner.patch(path(), change);
    const [row] = await historyBecomes([{ on: today, state: 'invalidated', reason }, ...next]);
    expect(row).toEqual({ ...before, state: 'invalidated', reason });

    await owner.patch(path(), back);
    const [revived] = await historyBecomes([{ on: today, state: 'scheduled' }]);
    expect(revived).toEqual(before);
    setClock('2027-03-01T20:30:01.000Z');
    await ring(responder);
    expect((await phone.inbox()).map(({ data }) => data.notification)).toEqual([before.identifier]);
    await historyBecomes([
      { on: today, state: 'sent' },
      { on: '2027-03-02', state: 'scheduled' },
    ]);
  });
});

test('a date that a move east puts before the user joined says so, and comes back when they return', async () => {
  const { responder } = study;
  const { identifier } = (await responder.get('/user/me/devices')).body.devices[0];
  const moves = (timeZone: string) => responder.patch(`/device/${identifier}`, { timeZone });
  await historyBecomes([{ on: today, state: 'scheduled' }]);
  await moves('Pacific/Kiritimati');
  await historyBecomes([
    { on: today, state: 'invalidated', reason: 'time-passed' },
    { on: '2027-03-02', state: 'scheduled' },
  ]);
  await moves('Europe/Paris');
  await historyBecomes([{ on: today, state: 'scheduled' }]);
});

describe('a reminder that was answered while it waited for quiet hours to end', () => {
  const answeredAt = '2027-03-01T20:40:00.000Z';

  beforeEach(async () => {
    const { responder } = study;
    await responder.patch('/user/me', { quietHours: { from: '21:00', to: '23:00' } });
    setClock('2027-03-01T20:30:00.000Z');
    await ring(responder);
    setClock(answeredAt);
    await newResponse(study, responder, await newCase(study, study.owner));
    const [row] = await historyBecomes([{ on: today, state: 'scheduled' }]);
    expect(row).toMatchObject({ answeredAt });
  });

  const move = async (timeZone: string) => {
    const { identifier } = (await study.responder.get('/user/me/devices')).body.devices[0];
    await study.responder.patch(`/device/${identifier}`, { timeZone });
  };
  const tomorrow = [{ on: '2027-03-02', state: 'scheduled' }];

  test.each([
    ['the reminders change', () => remind(study, { ...daily, recurrence: '0 9 * * *' }), tomorrow],
    ['there are no reminders any more', () => remind(study, null), []],
    ['the survey is archived', () => study.owner.patch(surveyPath(), { status: 'archived' }), []],
    ['the study is archived', () => study.owner.patch(studyPath(), { status: 'archived' }), []],
    [
      'the study begins later',
      () => study.owner.patch(studyPath(), { startsOn: '2027-06-01' }),
      [{ on: '2027-06-01', state: 'scheduled' }],
    ],
    ['the participant leaves', () => study.responder.delete(`${studyPath()}/member/me`), []],
    ['the participant moves east', () => move('Pacific/Kiritimati'), tomorrow],
  ] as const)('counts as answered when %s', async (_, change, next) => {
    await change();
    const rows = await settledOn(today);
    expect(brief(rows)).toEqual([{ on: today, state: 'skipped', reason: 'answered' }, ...next]);
    expect(rows[0]).toMatchObject({ answeredAt, sentAt: null });
    const compliance = async (path: string) =>
      (await study.owner.get(`${studyPath()}/compliance${path}?from=${today}&to=${today}`)).body;
    const counted = { due: 1, sent: 0, failed: 0, skipped: { answered: 1 }, answered: 1 };
    expect((await compliance('')).totals).toMatchObject(counted);
    expect((await compliance('/daily')).days).toMatchObject([{ date: today, ...counted }]);
    expect(await phone.inbox()).toEqual([]);
  });

  test('stays answered when its survey comes back from the archive, and the next one is planned', async () => {
    const { owner, responder } = study;
    const answered = { on: today, state: 'skipped', reason: 'answered' };
    await owner.patch(surveyPath(), { status: 'archived' });
    expect(brief(await settledOn(today))).toEqual([answered]);
    await owner.patch(surveyPath(), { status: 'active' });
    await historyBecomes([answered, ...tomorrow]);
    setClock('2027-03-02T22:00:00.000Z');
    await ring(responder);
    expect((await phone.inbox()).map(({ data }) => data.notification)).toHaveLength(1);
  });
});

describe('a reminder that was answered before a move west, where an earlier date is still to come', () => {
  /** Chidi joins there late in the evening of the first of March; the next reminder is due at 07:30 UTC of the second. */
  const line = 'Pacific/Kiritimati';
  const answered = { on: '2027-03-02', state: 'skipped', reason: 'answered' };
  const next = { on: '2027-03-03', state: 'scheduled' };
  let device: string;

  beforeEach(async () => {
    const { responder } = study;
    device = (await responder.get('/user/me/devices')).body.devices[0].identifier;
    await responder.patch(`/device/${device}`, { timeZone: line });
    await responder.patch('/user/me', { quietHours: { from: '21:00', to: '23:00' } });
    await dueAt(responder, '2027-03-02T07:30:00.000Z');
    setClock('2027-03-02T07:30:00.000Z');
    await ring(responder);
    setClock('2027-03-02T07:40:00.000Z');
  });

  const answer = async () => newResponse(study, study.responder, await newCase(study, study.owner));

  test('keeps its answer, and the earlier date does not come', async () => {
    await answer();
    await study.responder.patch(`/device/${device}`, { timeZone: 'Pacific/Pago_Pago' });
    const found = await history(study.responder);
    const first = { on: today, state: 'invalidated', reason: 'time-passed' };
    expect(brief(found.toReversed())).toEqual([first, answered, next]);
    expect(found[1]).toMatchObject({ answeredAt: '2027-03-02T07:40:00.000Z' });
  });

  test('keeps an answer that comes while the move is planned', async () => {
    const { responder } = study;
    const move = env.DB.prepare('update device set time_zone = ? where id = ?');
    await move.bind('Pacific/Pago_Pago', device).run();
    await carryOut(outdate({ user: responder.id }));
    const db = interruptedDb(answer);
    await plan({ ...createServices(env), db, log: () => {} }, [responder.id]);
    const first = { on: today, state: 'invalidated', reason: 'time-passed' };
    expect(brief((await history(responder)).toReversed())).toEqual([first, answered, next]);
  });
});

describe('pages of the history', () => {
  const pages = async (limit: number) => {
    const found: { identifier: string; text: string }[] = [];
    for (let cursor = ''; ; ) {
      const { body, text } = await study.responder.get(`/user/me/notifications?limit=${limit}${cursor}`);
      found.push(...body.notifications.map((row: { identifier: string }) => ({ ...row, text })));
      if (!body.next) return found;
      cursor = `&cursor=${body.next}`;
    }
  };

  test('are bounded in bytes, whatever has become of each reminder', async () => {
    const at = '2027-02-01T20:30:00.000Z';
    const tries = Array.from({ length: 2000 }, () => ({
      kind: 'snooze',
      dueAt: at,
      at,
      state: 'skipped',
      reason: 'paused',
    }));
    await seedPast(
      Array.from({ length: 20 }, (_, n) => ({
        ...{
          user: study.responder.id,
          survey: study.survey,
          revision: 1,
          dueAt: 1 + n,
          state: 'sent' as const,
        },
        ...{ on: `2027-01-${String(2 + n).padStart(2, '0')}`, timeZone: 'Europe/Paris', followUps: tries },
      })),
    );
    const found = await pages(1000);
    expect(new Set(found.map(({ identifier }) => identifier)).size).toBe(21);
    expect(found).toHaveLength(21);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThan(1_100_000);
  });
});
