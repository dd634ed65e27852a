import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Phone } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { setClock } from './support/clock.ts';
import { daily, history, pendingOf, ring } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';

/* What was scheduled and will not come stays in the history, and is scheduled in place if its date becomes due again. */

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
