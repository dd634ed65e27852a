import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Phone } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
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
    const brief = found.map(({ on, state, reason }) => ({ on, state, ...(reason && { reason }) }));
    return JSON.stringify(brief) === JSON.stringify(rows) && found;
  });

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

  test('have the same date of two revisions of the reminders, each once', async () => {
    await remind(study, { ...daily, notification: { subject: 'Diary', body: 'How did you sleep?' } });
    const all = await eventually('both revisions', async () => {
      const rows = await history(study.responder);
      return rows.length === 2 && rows;
    });
    expect(all.map(({ on }) => on)).toEqual([today, today]);
    expect((await pages(1)).map(({ identifier }) => identifier)).toEqual(all.map((row) => row.identifier));
  });

  test('are bounded in bytes, whatever has become of each reminder', async () => {
    const at = '2027-02-01T20:30:00.000Z';
    const tries = Array.from({ length: 2000 }, () => ({
      kind: 'snooze',
      dueAt: at,
      at,
      state: 'skipped',
      reason: 'paused',
    }));
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone,
          settled_at, state, follow_ups)
        select ?, ?, 1, date('2027-01-01', i || ' days'), 0, i, 0, 'Europe/Paris', 1, 'sent', ? from n`,
    )
      .bind(study.responder.id, study.survey, JSON.stringify(tries))
      .run();
    const found = await pages(1000);
    expect(new Set(found.map(({ identifier }) => identifier)).size).toBe(21);
    expect(found).toHaveLength(21);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThan(1_100_000);
  });
});
