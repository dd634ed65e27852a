import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { drawMinutes } from '../../src/schedule/windows.ts';
import { knownDraws } from '../support/draws.ts';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dueAt, history, pendingOf, remind, ring, scheduled } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const windows = [
  { from: '10:00', to: '13:00', count: 2 },
  { from: '15:00', to: '21:00', count: 2 },
];
const sampling = { ...daily, recurrence: '* * * * *', windows, minGap: 60, expiresAfter: 60 };

interface Upcoming {
  on: string;
  slot: number;
  dueAt: string;
  local: string;
  counter: number;
}

async function upcoming(of: Person, study: Study, count: number, user = 'me'): Promise<Upcoming[]> {
  const { status, body } = await of.get(
    `/survey/${study.survey}/reminders/upcoming?count=${count}&user=${user}`,
  );
  expect([status, body.draw]).toEqual([200, 'user']);
  return body.occurrences;
}

const wallTimes = (list: Upcoming[]) => list.map(({ local }) => local.slice(11, 16));

test('workerd has the draws that Node has', () => {
  for (const { draw, windows, date, minutes } of knownDraws)
    expect(drawMinutes(windows, draw, date)).toEqual(minutes);
});

describe('a survey with windows', () => {
  test('reminds each person at minutes of their own, in each window as often as it says', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(sampling);
    const { responder: chidi, other: dana, owner: ada } = study;
    const phone = await newPhone(chidi);
    await newPhone(dana);
    await pendingOf(chidi);
    await pendingOf(dana);

    const planned = await upcoming(chidi, study, 8);
    expect(planned.map(({ on, slot, counter }) => `${on} ${slot} ${counter}`)).toEqual([
      ...[0, 1, 2, 3].map((slot) => `2027-03-01 ${slot} ${slot}`),
      ...[0, 1, 2, 3].map((slot) => `2027-03-02 ${slot} ${slot + 4}`),
    ]);
    for (const [first, second, third, fourth] of [
      wallTimes(planned.slice(0, 4)),
      wallTimes(planned.slice(4)),
    ])
      expect([
        first !== undefined && first >= '10:00' && first < '13:00',
        second !== undefined && second >= '11:00' && second < '13:00',
        third !== undefined && third >= '15:00' && third < '21:00',
        fourth !== undefined && fourth >= '16:00' && fourth < '21:00',
      ]).toEqual([true, true, true, true]);
    expect(wallTimes(planned.slice(0, 4))).not.toEqual(wallTimes(planned.slice(4)));
    expect(await upcoming(dana, study, 8)).not.toEqual(planned);
    // The owner sees the times of each, as they are.
    expect(await upcoming(ada, study, 8, chidi.id)).toEqual(planned);

    const agenda = await chidi.get('/user/me/agenda?count=8');
    for (const { dueAt } of planned) {
      setClock(dueAt);
      await ring(chidi);
    }
    expect(await phone.inbox()).toHaveLength(8);
    const sent = (await history(chidi)).filter(({ state }) => state === 'sent').toReversed();
    expect(sent.map(({ on, slot, dueAt, counter }) => ({ on, slot, dueAt, counter }))).toEqual(
      planned.map(({ on, slot, dueAt, counter }) => ({ on, slot, dueAt, counter })),
    );
    expect(new Set(sent.map(({ identifier }) => identifier)).size).toBe(8);
    const foreseen: { notification: string; on: string; slot: number; dueAt: string }[] =
      agenda.body.occurrences;
    expect(foreseen.map(({ notification, on, slot, dueAt }) => ({ notification, on, slot, dueAt }))).toEqual(
      sent.map(({ identifier, on, slot, dueAt }) => ({ notification: identifier, on, slot, dueAt })),
    );
    expect(await scheduled(chidi)).toMatchObject([{ on: '2027-03-03', slot: 0 }]);
  });

  test('ends after so many dates, and a custom time does not apply', async () => {
    setClock(startOfTests);
    const study = await sleepStudy({ ...sampling, ends: 2 });
    const before = await upcoming(study.responder, study, 400);
    expect(before.map(({ on }) => on)).toEqual([
      ...Array(4).fill('2027-03-01'),
      ...Array(4).fill('2027-03-02'),
    ]);
    await study.responder.patch('/user/me', { customRemindersTime: '07:00' });
    expect(await upcoming(study.responder, study, 400)).toEqual(before);
  });

  test('is planned anew when its windows change, with other minutes', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(sampling);
    const user = study.responder;
    await pendingOf(user);
    const before = await upcoming(user, study, 4);
    await remind(study, { ...sampling, minGap: 61 });
    await pendingOf(user);
    expect(await upcoming(user, study, 4)).not.toEqual(before);
    const at = (await upcoming(user, study, 1))[0]?.dueAt;
    await dueAt(user, at as string);
    await remind(study, daily);
    const { on, slot } = await dueAt(user, '2027-03-01T20:30:00.000Z');
    expect({ on, slot }).toEqual({ on: '2027-03-01' });
  });

  test('keeps its secret to itself', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(sampling);
    const { owner } = study;
    const row = await env.DB.prepare('select window_secret as secret from survey where id = ?')
      .bind(study.survey)
      .first<{ secret: string }>();
    const secret = String(row?.secret);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    await remind(study, { ...sampling, minGap: 10 });
    for (const path of [
      `/survey/${study.survey}`,
      `/investigation/${study.id}/surveys`,
      `/investigation/${study.id}/activity`,
      `/survey/${study.survey}/reminders/upcoming`,
      `/survey/${study.survey}/notifications?user=${study.responder.id}`,
    ]) {
      const answer = await owner.get(path);
      expect(answer.status, path).toBe(200);
      expect(answer.text).not.toContain(secret);
    }
    const kept = await env.DB.prepare('select window_secret as secret from survey where id = ?')
      .bind(study.survey)
      .first<{ secret: string }>();
    expect(kept?.secret).toBe(secret);
    const plain = await sleepStudy(daily);
    const none = await env.DB.prepare('select window_secret as secret from survey where id = ?')
      .bind(plain.survey)
      .first();
    expect(none).toEqual({ secret: null });
  });
});

describe('a preview with windows', () => {
  test('shows an example, and says so', async () => {
    const ada = await signUp('Ada');
    const request = {
      reminders: { type: 'rolling', recurrence: '* * * * *', windows, minGap: 60 },
      timeZone: 'Europe/Paris',
      startsOn: '2027-03-27',
      count: 8,
    };
    const { status, body } = await ada.post('/reminders/preview', request);
    expect([status, body.draw, body.occurrences.length]).toEqual([200, 'example', 8]);
    expect(body.occurrences[4]).toMatchObject({ on: '2027-03-28', slot: 0, counter: 4 });
    const other = await signUp('Bob');
    expect((await other.post('/reminders/preview', request)).body).toEqual(body);
    const plain = await ada.post('/reminders/preview', {
      ...request,
      reminders: { type: 'rolling', recurrence: '0 8 * * *' },
    });
    expect(plain.body).not.toHaveProperty('draw');
    expect(plain.body.occurrences[0]).not.toHaveProperty('slot');
  });
});

test('a window may last until midnight, and a night is two of them', async () => {
  setClock(startOfTests);
  const { owner } = await sleepStudy();
  const preview = async (windows: object[], count = 60): Promise<string[]> => {
    const { body, text } = await owner.post('/reminders/preview', {
      reminders: { ...sampling, windows, minGap: 45 },
      timeZone: 'Europe/Paris',
      startsOn: '2027-03-01',
      count,
    });
    expect(body.occurrences, text).toHaveLength(count);
    return body.occurrences.map(({ local }: Upcoming) => local.slice(0, 16));
  };
  expect(await preview([{ from: '23:59', to: '24:00' }], 3)).toEqual([
    '2027-03-01T23:59',
    '2027-03-02T23:59',
    '2027-03-03T23:59',
  ]);
  const night = await preview([
    { from: '00:00', to: '02:00' },
    { from: '22:00', to: '24:00' },
  ]);
  for (const local of night) expect(local.slice(11)).toMatch(/^(?:0[01]|2[23]):/);
  expect(new Set(night.map((local) => local.slice(0, 10))).size).toBe(30);
});

test('an impossible value names its field, and the expected value', async () => {
  const study = await sleepStudy(null);
  const refuse = async (change: object, field: string, expected: RegExp) => {
    const reminders = { ...sampling, ...change };
    const answer = await study.owner.patch(`/survey/${study.survey}`, { reminders });
    expectProblem(answer, 'request.invalid', [`/reminders${field}`]);
    expect(answer.body.errors[0].detail).toMatch(expected);
  };
  const nine = { from: '09:00', to: '12:00' };
  await refuse({ windows: [] }, '/windows', /1 to 12 windows/);
  await refuse({ windows: Array(13).fill(nine) }, '/windows', /1 to 12 windows/);
  await refuse({ windows: [{ from: '12:00', to: '09:00' }] }, '/windows/0/to', /a time after 12:00/);
  await refuse({ windows: [{ from: '09:00', to: '09:00' }] }, '/windows/0/to', /a time after 09:00/);
  await refuse(
    { windows: [{ from: '22:00', to: '02:00', count: 2 }] },
    '/windows/0/to',
    /two windows, in the order of the day: 00:00 to 02:00, and 22:00 to 24:00$/,
  );
  await refuse({ windows: [{ from: '22:00', to: '00:00' }] }, '/windows/0/to', /24:00 at the latest$/);
  for (const to of ['24:01', '25:00', '2:00', '24'])
    await refuse({ windows: [{ from: '22:00', to }] }, '/windows/0/to', /24:00|HH:MM/);
  await refuse({ windows: [nine, { from: '11:59', to: '13:00' }] }, '/windows/1/from', /12:00 or later/);
  await refuse({ windows: [{ ...nine, count: 11 }] }, '/windows/0/count', /1 to 10/);
  await refuse(
    { windows: [{ ...nine, count: 4 }] },
    '/windows/0/count',
    /between 09:00 and 12:00 with 60 minutes/,
  );
  await refuse(
    {
      windows: [
        { ...nine, count: 3 },
        { from: '12:00', to: '12:01' },
      ],
      minGap: 70,
    },
    '/windows/1/count',
    /between 12:00 and 12:01/,
  );
  await refuse({ minGap: 721 }, '/minGap', /0 to 720/);
  await refuse({ windows: undefined, recurrence: '0 8 * * *' }, '/minGap', /windows beside it/);
  await refuse({ recurrence: '0 * * * *' }, '/recurrence', /expected \* beside windows/);
  await refuse({ recurrence: '* 8 * * *' }, '/recurrence', /expected \* beside windows/);
  const plain = { windows: undefined, minGap: undefined };
  await refuse({ ...plain, recurrence: '* 8 * * *' }, '/recurrence', /one number from 0 to 59/);
});
