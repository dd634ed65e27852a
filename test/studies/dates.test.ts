import { describe, expect, test } from 'vitest';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { history, pendingOf, remind, ring, scheduled } from '../support/worker/reminders.ts';
import { newPhone, send, sleepStudy } from '../support/worker/world.ts';

/** Five days and then four weeks after surgery, at nine. */
const followUp = {
  type: 'fixed',
  recurrence: '0 9 * * *',
  from: { date: 'surgery' },
  days: [5, 28],
  notification: { subject: 'Your knee', body: 'How is it today?' },
};

const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}`;
const dueTimes = async (of: Person) => (await scheduled(of)).map(({ dueAt }) => dueAt);

async function kneeStudy(reminders: object = followUp) {
  setClock(startOfTests);
  const study = await sleepStudy();
  const declared = await study.owner.patch(path(study), { dates: ['surgery', 'discharge'] });
  expect(declared.status, declared.text).toBe(200);
  expect(declared.body.dates).toEqual(['surgery', 'discharge']);
  await remind(study, reminders);
  return study;
}

const setDates = async (study: Study, person: Person, change: object, by = study.editor) => {
  const answer = await by.patch(`${path(study)}/member/${person.id}`, change);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

/** The pushes that went out, by the date that they were for. */
const sentOn = async (of: Person) =>
  (await history(of))
    .filter(({ state }) => state === 'sent')
    .map(({ on }) => on)
    .reverse();

/** Lets everything come until an instant. */
async function pass(of: Person, until: string) {
  for (;;) {
    const [next] = await dueTimes(of);
    if (next === undefined || next > until) break;
    if (Date.parse(next) > Date.now()) setClock(next);
    await ring(of);
  }
  setClock(until);
}

describe('reminders from a date of the person', () => {
  test('come on its days, and nothing comes without it', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, owner } = study;
    await newPhone(chidi);
    const attention = async () => (await owner.get(`${path(study)}/compliance/attention`)).body.attention;
    expect((await attention()).at(-1)).toMatchObject({ reason: 'date-missing', count: 2 });
    expect(await setDates(study, chidi, { dates: { surgery: '2027-03-02' } })).toMatchObject({
      identifier: chidi.id,
      dates: { surgery: '2027-03-02' },
    });
    await pendingOf(chidi);
    expect(await dueTimes(chidi)).toEqual(['2027-03-07T08:00:00.000Z']);
    expect(await dueTimes(dana)).toEqual([]);
    expect((await attention()).at(-1)).toMatchObject({
      reason: 'date-missing',
      count: 1,
      first: [{ user: dana.id }],
    });
    await pass(chidi, '2027-04-30T00:00:00.000Z');
    expect(await sentOn(chidi)).toEqual(['2027-03-07', '2027-03-30']);
    expect(await dueTimes(chidi)).toEqual([]);
  });

  test('a date that moves is a changed plan, in the log, in the feed and in the history', async () => {
    const study = await kneeStudy();
    const { responder: chidi, owner } = study;
    await setDates(study, chidi, { dates: { surgery: '2027-03-02' } });
    await pendingOf(chidi);
    await setDates(study, chidi, { dates: { surgery: '2027-03-10', discharge: '2027-03-12' } });
    expect(await dueTimes(chidi)).toEqual(['2027-03-15T08:00:00.000Z']);
    expect(await history(chidi)).toContainEqual(
      expect.objectContaining({ on: '2027-03-07', state: 'invalidated', reason: 'date-moved' }),
    );
    const [entry] = (await owner.get(`${path(study)}/activity`)).body.activities;
    expect(entry).toMatchObject({
      action: 'member.dates-changed',
      details: {
        member: chidi.id,
        before: { dates: { surgery: '2027-03-02', discharge: null } },
        after: { dates: { surgery: '2027-03-10', discharge: '2027-03-12' } },
      },
    });
    const { changes } = (await owner.get(`${path(study)}/changes?include=body`)).body;
    expect(changes.at(-1)).toMatchObject({
      kind: 'member',
      body: { identifier: chidi.id, dates: { surgery: '2027-03-10', discharge: '2027-03-12' } },
    });
    // Back again: the date comes under its first name.
    await setDates(study, chidi, { dates: { surgery: '2027-03-02' } });
    expect(await dueTimes(chidi)).toEqual(['2027-03-07T08:00:00.000Z']);
    await setDates(study, chidi, { dates: { surgery: null } });
    expect(await dueTimes(chidi)).toEqual([]);
    expect(await setDates(study, chidi, { dates: { discharge: null } })).not.toHaveProperty('dates');
  });

  test('one that is open still comes at once when the date is told late, and earlier ones never', async () => {
    const study = await kneeStudy({ ...followUp, expiresAfter: 14 * 1440 });
    const { responder: chidi } = study;
    await newPhone(chidi);
    setClock('2027-04-10T12:00:00.000Z');
    await setDates(study, chidi, { dates: { surgery: '2027-03-10' } });
    await ring(chidi);
    expect(await sentOn(chidi)).toEqual(['2027-04-07']);
    expect(await history(chidi)).toHaveLength(1);
  });

  test('nobody is reminded twice on a date, however it moves', async () => {
    const study = await kneeStudy({ ...followUp, days: { burst: 3, every: 7, times: 2 } });
    const { responder: chidi } = study;
    await newPhone(chidi);
    await setDates(study, chidi, { dates: { surgery: '2027-03-02' } });
    await pass(chidi, '2027-03-03T12:00:00.000Z');
    await setDates(study, chidi, { dates: { surgery: '2027-03-03' } });
    expect(await dueTimes(chidi)).toEqual(['2027-03-04T08:00:00.000Z']);
    await setDates(study, chidi, { dates: { surgery: '2027-03-01' } });
    await pass(chidi, '2027-03-31T00:00:00.000Z');
    expect(await sentOn(chidi)).toEqual([
      '2027-03-02',
      '2027-03-03',
      '2027-03-08',
      '2027-03-09',
      '2027-03-10',
    ]);
  });

  test('names are declared by the study, and stay while reminders count from them', async () => {
    const study = await kneeStudy();
    const { owner, editor, responder } = study;
    const to = `${path(study)}/member/${responder.id}`;
    for (const name of ['birth', 'Surgery'])
      expectProblem(await editor.patch(to, { dates: { [name]: '2027-03-02' } }), 'request.invalid');
    for (const dates of [{ surgery: '2027-02-30' }, { '': '2027-03-01' }, ['surgery'], { surgery: 1 }])
      expectProblem(await editor.patch(to, { dates }), 'request.invalid');
    expectProblem(await responder.patch(to, { dates: { surgery: '2027-03-02' } }), 'action.forbidden');
    expectProblem(await owner.patch(path(study), { dates: ['discharge'] }), 'date.in-use');
    expectProblem(await editor.patch(path(study), { dates: ['surgery'] }), 'action.forbidden');
    expect((await owner.patch(path(study), { dates: ['surgery'] })).body.dates).toEqual(['surgery']);
    const unknown = { ...followUp, from: { date: 'birth' } };
    expectProblem(await editor.patch(`/survey/${study.survey}`, { reminders: unknown }), 'request.invalid');
    expectProblem(
      await editor.post(`/survey/${study.survey}/reminders/change`, { reminders: unknown }),
      'request.invalid',
    );
    for (const dates of [['a', 'a'], Array.from({ length: 11 }, (_, n) => `d${n}`), ['a"b'], 'surgery'])
      expectProblem(await owner.patch(path(study), { dates }), 'request.invalid');
    const names = ['शल्य', 'e\u0301te\u0301', 'Entlassung 2'];
    expect((await owner.patch(path(study), { dates: ['surgery', ...names] })).body.dates).toEqual([
      'surgery',
      ...names,
    ]);
    // A date that is declared no more can still be taken away.
    await setDates(study, responder, { dates: { [names[0] as string]: '2027-03-01' } });
    await owner.patch(path(study), { dates: ['surgery'] });
    await setDates(study, responder, { dates: { [names[0] as string]: null } });
    expect((await owner.get(to)).body).not.toHaveProperty('dates');
    expectProblem(await editor.patch(to, { dates: { [names[0] as string]: null } }), 'request.invalid');
  });

  test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'no date is named %s, and a preview from it moves nobody’s reminders',
    async (name) => {
      const study = await kneeStudy({ ...followUp, recurrence: '30 21 * * *' });
      const { owner, responder: chidi, other: dana } = study;
      await newPhone(chidi);
      const preview = {
        reminders: { ...followUp, from: { date: name } },
        dates: { surgery: '2027-03-01' },
        timeZone: 'Europe/Paris',
        count: 5,
      };
      expectProblem(await dana.post('/reminders/preview', preview), 'request.invalid');
      expectProblem(await owner.patch(path(study), { dates: ['surgery', name] }), 'request.invalid');
      await setDates(study, chidi, { dates: { surgery: '2027-03-01' } });
      expect(await dueTimes(chidi)).toEqual(['2027-03-06T20:30:00.000Z']);
    },
  );
});

test('weekdays are drawn for each person, and come as they were shown', async () => {
  const study = await kneeStudy({
    type: 'rolling',
    recurrence: '0 9 * * *',
    pick: 2,
    notification: { subject: 'Diary', body: 'Today?' },
  });
  const { responder: chidi, survey } = study;
  await newPhone(chidi);
  await pendingOf(chidi);
  const { occurrences, draw } = (await chidi.get(`/survey/${survey}/reminders/upcoming?count=6`)).body;
  expect(draw).toBe('user');
  const dates: string[] = occurrences.map(({ on }: { on: string }) => on);
  // Weeks begin on the first day of the study, a Monday, of which the morning is over.
  const weeks = Map.groupBy(dates, (on) =>
    Math.floor((Date.parse(on) - Date.parse('2027-03-01')) / 604_800_000),
  );
  expect([...weeks.values()].slice(1, 3).map((some) => some.length)).toEqual([2, 2]);
  await pass(chidi, `${dates[4]}T12:00:00.000Z`);
  expect(await sentOn(chidi)).toEqual(dates.slice(0, 5));
});

describe('dates of many people', () => {
  const bulk = (study: Study, body: object, by = study.editor) =>
    by.post(`${path(study)}/members/dates`, body);

  test('are shown before they are set, and set as they were shown, by code or identifier', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, editor, owner } = study;
    for (const person of [chidi, dana]) await newPhone(person);
    await setDates(study, dana, { code: 'P-18' });
    await setDates(study, chidi, { dates: { surgery: '2027-03-02' } });
    setClock('2027-03-02T12:00:00.000Z');
    const members = [
      { user: chidi.id, dates: { surgery: '2027-03-05' } },
      { code: 'P-18', dates: { surgery: '2027-02-25' }, participation: { until: '2027-03-20' } },
    ];
    const shown = await changingNothing(() => bulk(study, { members, dryRun: true }));
    expect(shown.status, shown.text).toBe(200);
    expect(shown.body).toEqual({
      changed: 2,
      page: [
        {
          ...{ user: chidi.id, survey: study.survey },
          before: ['2027-03-07T08:00:00.000Z', '2027-03-30T07:00:00.000Z'],
          after: ['2027-03-10T08:00:00.000Z', '2027-04-02T07:00:00.000Z'],
        },
        // Due this morning, and still open.
        { user: dana.id, survey: study.survey, before: [], after: ['2027-03-02T08:00:00.000Z'] },
      ].sort((a, b) => (a.user < b.user ? -1 : 1)),
    });
    const set = await bulk(study, { members });
    expect(set.body).toEqual({ changed: 2, activity: expect.any(String) });
    await pass(dana, '2027-05-01T00:00:00.000Z');
    setClock('2027-03-03T00:00:00.000Z');
    await pass(chidi, '2027-05-01T00:00:00.000Z');
    expect(await sentOn(chidi)).toEqual(['2027-03-10', '2027-04-02']);
    expect(await sentOn(dana)).toEqual(['2027-03-02']);
    const { activities } = (await owner.get(`${path(study)}/activity?action=member.dates-changed`)).body;
    expect(activities[0].identifier).toBe(set.body.activity);
    expect(activities[0].details.members).toHaveLength(2);
    expect((await bulk(study, { members })).body).toEqual({ changed: 0 });
    expect(await editor.get(`${path(study)}/member/${dana.id}`)).toMatchObject({
      body: {
        dates: { surgery: '2027-02-25' },
        participation: { until: '2027-03-20' },
        time: { from: '2027-03-01', until: '2027-03-20', state: 'after' },
      },
    });
  });

  test('are set for all or for nobody', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, stranger } = { ...study, stranger: (await kneeStudy()).responder };
    const dates = { surgery: '2027-03-02' };
    const missing = await changingNothing(() =>
      bulk(study, {
        members: [
          { user: chidi.id, dates },
          { user: stranger.id, dates },
          { code: 'P-1', dates },
        ],
      }),
    );
    expectProblem(missing, 'items.not-found');
    expect(missing.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/members/1/user',
      '/members/2/code',
    ]);
    await setDates(study, chidi, { code: 'P-1' });
    for (const members of [
      [
        { user: chidi.id, dates },
        { code: 'P-1', dates },
      ],
      [{ user: chidi.id, dates: { birth: '2027-03-02' } }],
      [{ user: chidi.id }],
      [{ user: chidi.id, code: 'P-1', dates }],
      [{ user: chidi.id, participation: { from: '2027-03-02', until: '2027-03-01' } }],
      [],
      Array.from({ length: 1001 }, () => ({ user: dana.id, dates })),
    ])
      expectProblem(await changingNothing(() => bulk(study, { members })), 'request.invalid');
    expectProblem(await bulk(study, { members: [{ user: chidi.id, dates }] }, chidi), 'action.forbidden');
    expectProblem(
      await bulk(study, { members: [{ user: chidi.id, dates }] }, stranger),
      'resource.not-found',
    );
  });
});

describe('taking part has an end', () => {
  const daily = {
    type: 'rolling',
    recurrence: '0 9 * * *',
    notification: { subject: 'Diary', body: 'Today?' },
  };

  test('reminders come on the dates of their own, both included, and go on when it is extended', async () => {
    const study = await kneeStudy(daily);
    const { responder: chidi, owner } = study;
    await newPhone(chidi);
    await setDates(study, chidi, { participation: { from: '2027-03-03', until: '2027-03-05' } });
    expect((await chidi.get(path(study))).body.participation).toEqual({
      from: '2027-03-03',
      until: '2027-03-05',
    });
    const state = async () => (await owner.get(`${path(study)}/member/${chidi.id}`)).body.time.state;
    expect(await state()).toBe('before');
    await pass(chidi, '2027-03-08T12:00:00.000Z');
    expect(await state()).toBe('after');
    expect(await sentOn(chidi)).toEqual(['2027-03-03', '2027-03-04', '2027-03-05']);
    const listed = async (query: string) =>
      (await owner.get(`${path(study)}/compliance?${query}`)).body.participants.map(
        ({ name, time, due, attention }: Record<string, unknown>) => [name, time, due, attention],
      );
    expect(await listed('time=after')).toEqual([['Chidi', 'after', 3, []]]);
    expect(await listed('time=in')).toEqual([]);
    await setDates(study, chidi, { participation: { until: '2027-03-09' } });
    expect(await listed('time=in')).toMatchObject([['Chidi', 'in', 3, ['silent', 'never-downloaded']]]);
    await pass(chidi, '2027-03-20T00:00:00.000Z');
    // This morning's is still open; the days between were not theirs.
    expect(await sentOn(chidi)).toEqual([
      '2027-03-03',
      '2027-03-04',
      '2027-03-05',
      '2027-03-08',
      '2027-03-09',
    ]);
    expect((await history(chidi)).filter(({ state }) => state !== 'invalidated')).toHaveLength(5);
  });

  test('an end that comes earlier takes back what was planned', async () => {
    const study = await kneeStudy(daily);
    const { responder: chidi } = study;
    await pendingOf(chidi);
    await setDates(study, chidi, { participation: { until: '2027-02-28' } });
    expect(await dueTimes(chidi)).toEqual([]);
    expect(await history(chidi)).toMatchObject([
      { on: '2027-03-02', state: 'invalidated', reason: 'not-participating' },
    ]);
    expect(await setDates(study, chidi, { participation: null })).not.toHaveProperty('participation');
    expect(await dueTimes(chidi)).toEqual(['2027-03-02T08:00:00.000Z']);
  });

  test('days that were nobody’s stay so when the end is taken away', async () => {
    const study = await kneeStudy(daily);
    const { responder: chidi } = study;
    await newPhone(chidi);
    await setDates(study, chidi, { participation: { until: '2027-03-02' } });
    await pass(chidi, '2027-03-09T18:00:00.000Z');
    await setDates(study, chidi, { participation: null });
    await pass(chidi, '2027-03-10T12:00:00.000Z');
    const seen = (await history(chidi)).filter(({ state }) => state === 'sent' || state === 'skipped');
    expect(seen.map(({ on, state }) => [on, state])).toEqual([
      ['2027-03-10', 'sent'],
      ['2027-03-02', 'sent'],
    ]);
  });

  test('the days of the study count from joining, which is the first', async () => {
    const study = await kneeStudy(daily);
    const { owner, responder: chidi, other: dana } = study;
    for (const person of [chidi, dana]) await newPhone(person);
    await setDates(study, dana, { participation: { from: '2027-03-02' } });
    expect((await owner.patch(path(study), { participationDays: 3 })).body.participationDays).toBe(3);
    await pendingOf(chidi);
    await pass(chidi, '2027-03-09T00:00:00.000Z');
    expect(await sentOn(chidi)).toEqual(['2027-03-02', '2027-03-03']);
    expect((await chidi.get(path(study))).body.participation).toEqual({
      from: '2027-03-01',
      until: '2027-03-03',
    });
    expect((await dana.get(path(study))).body.participation).toEqual({
      from: '2027-03-02',
      until: '2027-03-04',
    });
    expect((await chidi.get(path(study))).headers.get('etag')).toBeTruthy();
    const known = { 'if-none-match': (await chidi.get(path(study))).headers.get('etag') ?? '' };
    expect((await chidi.get(path(study), known)).status).toBe(304);
    // Somebody who leaves, and comes back, has joined on another day.
    await chidi.delete(`${path(study)}/member/me`);
    created(await owner.post(`${path(study)}/member`, { user: chidi.id, role: 'responder' }));
    expect((await chidi.get(path(study), known)).body.participation).toEqual({
      from: '2027-03-09',
      until: '2027-03-11',
    });
    for (const participationDays of [0, 1.5, 36_501, '3'])
      expectProblem(await owner.patch(path(study), { participationDays }), 'request.invalid');
    const open = await owner.patch(path(study), { participationDays: null });
    expect(open.body).not.toHaveProperty('participationDays');
  });
});

describe('dates come along', () => {
  test('with a code of enrolment', async () => {
    const study = await kneeStudy();
    const { editor, owner } = study;
    const code = created(
      await editor.post(`${path(study)}/enrolment`, {
        uses: 2,
        dates: { surgery: '2027-03-02' },
        participation: { until: '2027-03-20' },
      }),
    );
    expect(code).toMatchObject({ dates: { surgery: '2027-03-02' }, participation: { until: '2027-03-20' } });
    expectProblem(
      await editor.post(`${path(study)}/enrolment`, { dates: { birth: '2027-03-02' } }),
      'request.invalid',
    );
    const enrol = async () => {
      const joined = await send('/enrol', {
        method: 'POST',
        body: JSON.stringify({ code: code.code, timeZone: 'Pacific/Auckland' }),
        headers: { 'content-type': 'application/json' },
      });
      expect(joined.status, joined.text).toBe(201);
      return joined.body.user.identifier;
    };
    const { body } = await owner.get(`${path(study)}/member/${await enrol()}`);
    expect(body).toMatchObject({
      dates: { surgery: '2027-03-02' },
      time: { from: '2027-03-01', until: '2027-03-20' },
    });
    // Without a date that is declared no more.
    await remind(study, null);
    await owner.patch(path(study), { dates: [] });
    const later = await enrol();
    expect((await owner.get(`${path(study)}/member/${later}`)).body).not.toHaveProperty('dates');
  });

  test('with an answer to a date', async () => {
    const study = await kneeStudy();
    const { editor, owner, survey, responder: chidi } = study;
    const items = [
      { identifier: 'when', label: 'When was your surgery?', answer: { kind: 'date', sets: 'surgery' } },
    ];
    expectProblem(
      await editor.patch(`/survey/${survey}`, {
        items: [{ ...items[0], answer: { kind: 'date', sets: 'birth' } }],
      }),
      'request.invalid',
    );
    const twice = [...items, { ...items[0], identifier: 'again' }];
    expectProblem(await editor.patch(`/survey/${survey}`, { items: twice }), 'request.invalid');
    expect((await editor.patch(`/survey/${survey}`, { items })).status).toBe(200);
    const own = await newCase(study, chidi);
    const given = created(
      await chidi.post(`/survey/${survey}/response`, { case: own, items: { when: '2027-03-02' } }),
    );
    expect(await dueTimes(chidi)).toEqual(['2027-03-07T08:00:00.000Z']);
    const dates = async () => (await owner.get(`${path(study)}/member/${chidi.id}`)).body.dates;
    expect(await dates()).toEqual({ surgery: '2027-03-02' });
    const edited = await chidi.patch(given.uri, { items: { when: '2027-03-03' } });
    expect(edited.status, edited.text).toBe(200);
    expect(await dates()).toEqual({ surgery: '2027-03-03' });
    expect(await dueTimes(chidi)).toEqual(['2027-03-08T08:00:00.000Z']);
    // The team knows better, and an answer from before that waited on the phone changes nothing.
    const at = new Date(Date.now()).toISOString();
    setClock(Date.now() + 60_000);
    await setDates(study, chidi, { dates: { surgery: '2027-03-09' } });
    await chidi.post(`/survey/${survey}/response`, { case: own, items: { when: '2027-03-04' }, at });
    expect(await dates()).toEqual({ surgery: '2027-03-09' });
    await chidi.post(`/survey/${survey}/response`, { case: own, items: { when: '2027-03-05' } });
    expect(await dates()).toEqual({ surgery: '2027-03-05' });
    setClock(Date.now() + 60_000);
    await setDates(study, chidi, { dates: { surgery: null } });
    await chidi.post(`/survey/${survey}/response`, { case: own, items: { when: '2027-03-06' }, at });
    expect(await dates()).toBeUndefined();
  });
});
