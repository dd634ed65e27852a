import { describe, expect, test } from 'vitest';
import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { stateItems } from '../items/support/late-answers.ts';
import { choice, choices, item, option } from '../support/items.ts';
import { csv, linkedPages, tableOf } from '../support/lists.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, newResponse, responseIn, type Study } from '../support/studies.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/* One row for each settled occurrence of Chidi and Dana, answered or not. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Row = any;

const pathOf = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}/occurrences`;

async function list(study: Study, query = '', by: Person = study.owner): Promise<Row[]> {
  const { status, text, body } = await by.get(`${pathOf(study)}${query}`);
  expect(status, text).toBe(200);
  expect(Object.keys(body)).toEqual(['investigation', 'occurrences']);
  return body.occurrences;
}

const ofChidi = (rows: Row[], { responder }: Study) => rows.filter(({ user }) => user === responder.id);

/** Page by page, with this many rows at most. */
async function pages(study: Study, limit: number, query = '') {
  const rows: Row[] = [];
  for await (const { body } of linkedPages(study.owner, `${pathOf(study)}?limit=${limit}${query}`)) {
    expect(body.occurrences.length).toBeLessThanOrEqual(limit);
    rows.push(...body.occurrences);
  }
  return rows;
}

const due = Date.parse('2027-03-01T20:30:00.000Z');
const evening = {
  ...daily,
  expiresAfter: 120,
  answerWithin: 60,
  unlessAnswered: true,
  followUps: { every: 30, max: 3 },
};

/** Chidi has a phone, and the diary at 21:30 in Paris; Dana has none. */
async function diaryOf(reminders: object = evening) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: chidi, survey } = study;
  await newPhone(chidi);
  for (const person of [chidi, study.other]) await pendingOf(person);
  const night = await newCase(study, chidi);
  const ringAt = async (at: number) => {
    setClock(at);
    await ring(chidi);
  };
  const answer = async (at: number, more: object = {}) => {
    setClock(at);
    const body = { case: night, items: { q1: 'well' }, ...more };
    return responseIn(await chidi.post(`/survey/${survey}/response`, body));
  };
  const idOf = (on: string, revision = 0) => occurrenceIdentifier(chidi.id, survey, revision, on);
  return { study, chidi, ringAt, answer, idOf };
}

describe('one row for each settled occurrence', () => {
  test('missed, nudged, opened, answered in time, late, and before it was due', async () => {
    const { study, chidi, ringAt, answer, idOf } = await diaryOf();
    // Monday is missed, with three nudges; what is not settled is no row.
    expect(ofChidi(await list(study), study)).toEqual([]);
    for (const after of [0, 30, 60, 90]) await ringAt(due + after * minutes);
    const monday = {
      identifier: idOf('2027-03-01'),
      user: chidi.id,
      code: null,
      survey: study.survey,
      on: '2027-03-01',
      slot: null,
      counter: 0,
      revision: 0,
      timeZone: 'Europe/Paris',
      dueAt: '2027-03-01T20:30:00.000Z',
      sentAt: '2027-03-01T20:30:00.000Z',
      shownAt: null,
      openedAt: null,
      answeredAt: null,
      late: null,
      state: 'sent',
      reason: null,
      nudges: 3,
      response: null,
    };
    expect(ofChidi(await list(study), study)).toEqual([monday]);

    // Tuesday is opened, and answered in time.
    await ringAt(due + days);
    setClock(due + days + 5 * minutes);
    for (const event of ['shown', 'opened'])
      await chidi.post(`/notification/${idOf('2027-03-02')}/receipt`, { event });
    const inTime = await answer(due + days + 10 * minutes);
    // Wednesday is answered late.
    await ringAt(due + 2 * days);
    const late = await answer(due + 2 * days + 90 * minutes);
    // Thursday is answered before it is due.
    const early = await answer(due + 3 * days - hours);
    await ringAt(due + 3 * days);
    const rows = ofChidi(await list(study), study);
    expect(rows).toEqual([
      monday,
      {
        ...monday,
        identifier: idOf('2027-03-02'),
        on: '2027-03-02',
        counter: 1,
        dueAt: '2027-03-02T20:30:00.000Z',
        sentAt: '2027-03-02T20:30:00.000Z',
        shownAt: '2027-03-02T20:35:00.000Z',
        openedAt: '2027-03-02T20:35:00.000Z',
        answeredAt: '2027-03-02T20:40:00.000Z',
        late: false,
        nudges: 0,
        response: inTime,
      },
      {
        ...monday,
        identifier: idOf('2027-03-03'),
        on: '2027-03-03',
        counter: 2,
        dueAt: '2027-03-03T20:30:00.000Z',
        sentAt: '2027-03-03T20:30:00.000Z',
        answeredAt: '2027-03-03T22:00:00.000Z',
        late: true,
        nudges: expect.any(Number),
        response: late,
      },
      {
        ...monday,
        identifier: idOf('2027-03-04'),
        on: '2027-03-04',
        counter: 3,
        dueAt: '2027-03-04T20:30:00.000Z',
        sentAt: null,
        answeredAt: '2027-03-04T19:30:00.000Z',
        late: false,
        state: 'skipped',
        reason: 'answered',
        nudges: 0,
        response: early,
      },
    ]);
    // The rows agree with the history of the participant, and with compliance.
    const settled = (await history(chidi)).filter(({ state }) => state !== 'scheduled').reverse();
    expect(rows.map(({ identifier }) => identifier)).toEqual(settled.map(({ identifier }) => identifier));
    const { participants } = (await study.owner.get(`/investigation/${study.id}/compliance`)).body;
    expect(participants.find(({ user }: { user: string }) => user === chidi.id)).toMatchObject({
      ...{ due: 4, sent: 3, skipped: { answered: 1 }, shown: 1, opened: 1, answered: 3, answeredLate: 1 },
    });
  });

  test('skipped for every reason, failed, in windows, of former revisions and surveys', async () => {
    const study = await sleepStudy(daily);
    const { responder: chidi, other: dana, owner, survey } = study;
    const body = { name: 'Weekly', items: [{ identifier: 'w', label: 'And?' }] };
    const weekly = created(await owner.post(`/investigation/${study.id}/survey`, body)).identifier;
    await owner.patch(`/survey/${weekly}`, { status: 'archived' });
    await seedPast([
      { user: chidi.id, survey, on: '2027-02-01', state: 'skipped', reason: 'paused' },
      { user: chidi.id, survey, on: '2027-02-02', state: 'skipped', reason: 'quiet-hours' },
      { user: chidi.id, survey, on: '2027-02-03', slot: 0, state: 'skipped', reason: 'expired' },
      { user: chidi.id, survey, on: '2027-02-03', slot: 1, state: 'failed', reason: 'relay', revision: 2 },
      { user: chidi.id, survey, on: '2027-02-04', state: 'invalidated', reason: 'reminders-changed' },
      { user: chidi.id, survey: weekly, on: '2027-02-05', state: 'sent', timeZone: 'Asia/Tokyo', counter: 7 },
      { user: dana.id, survey, on: '2027-01-31', state: 'skipped', reason: 'no-device' },
    ]);
    const rows = await list(study);
    const shown = rows.map(({ user, survey: of, on, slot, revision, state, reason, sentAt }) => ({
      ...{ user: user === chidi.id ? 'Chidi' : 'Dana', of: of === survey ? 'Diary' : 'Weekly' },
      ...{ on, slot, revision, state, reason, sentAt },
    }));
    const of = { user: 'Chidi', of: 'Diary', slot: null, revision: 0, state: 'skipped', sentAt: null };
    const expected = [
      { ...of, on: '2027-02-01', reason: 'paused' },
      { ...of, on: '2027-02-02', reason: 'quiet-hours' },
      { ...of, on: '2027-02-03', slot: 0, reason: 'expired' },
      { ...of, on: '2027-02-03', slot: 1, revision: 2, state: 'failed', reason: 'relay' },
      {
        ...of,
        ...{
          of: 'Weekly',
          on: '2027-02-05',
          state: 'sent',
          reason: null,
          sentAt: '2027-02-05T12:00:00.000Z',
        },
      },
      { ...of, user: 'Dana', on: '2027-01-31', reason: 'no-device' },
    ];
    expect(shown).toHaveLength(expected.length);
    expect(shown).toEqual(expect.arrayContaining(expected));
    // By user, then in the order in which they were due.
    const keys = rows.map(({ user, dueAt, identifier }) => `${user} ${dueAt} ${identifier}`);
    expect(keys).toEqual(keys.toSorted());
    expect(await list(study, `?survey=${weekly}`)).toMatchObject([{ timeZone: 'Asia/Tokyo', counter: 7 }]);
  });

  test('of everybody who has taken part, whoever left since, and of this study alone', async () => {
    const study = await sleepStudy(daily);
    const elsewhere = await sleepStudy(daily);
    const { owner, editor, responder: chidi, other: dana, survey } = study;
    await elsewhere.owner.post(`/investigation/${elsewhere.id}/member`, {
      user: chidi.id,
      role: 'responder',
    });
    await seedPast([
      { user: chidi.id, survey, on: '2027-02-01', state: 'sent' },
      { user: chidi.id, survey: elsewhere.survey, on: '2027-02-01', state: 'sent' },
      { user: dana.id, survey, on: '2027-02-01', state: 'sent' },
      // Bruno edits, and took part while he had a phone.
      { user: editor.id, survey, on: '2027-02-01', state: 'sent' },
    ]);
    const users = async (query = '') => (await list(study, query)).map(({ user }) => user);
    const everyone = [chidi.id, dana.id, editor.id].toSorted();
    expect(await users()).toEqual(everyone);
    await owner.patch(`/investigation/${study.id}/member/${dana.id}`, { code: 'P-018' });
    await dana.delete(`/investigation/${study.id}/member/me`);
    expect(await users()).toEqual(everyone);
    expect(await users(`?user=${dana.id}`)).toEqual([dana.id]);
    expect(await users('?code=P-018')).toEqual([dana.id]);
    expect((await pages(study, 1)).map(({ user }) => user)).toEqual(everyone);
    // Back again, she is there once.
    created(await owner.post(`/investigation/${study.id}/member`, { user: dana.id, role: 'responder' }));
    expect(await users()).toEqual(everyone);
    await owner.patch(`/investigation/${study.id}/member/${dana.id}`, { role: 'monitor' });
    expect(await users()).toEqual(everyone);
    await dana.delete('/user/me');
    expect(await users()).toEqual(everyone);
    const { totals } = (await owner.get(`/investigation/${study.id}/compliance?to=2027-02-01`)).body;
    expect(totals.due).toBe(3);
    expect((await list(elsewhere)).map(({ survey: of }) => of)).toEqual([elsewhere.survey]);
    await owner.patch(`/investigation/${study.id}/member/${chidi.id}`, { code: 'P-017' });
    expect((await list(study)).flatMap(({ code }) => code ?? [])).toEqual(['P-017']);
  });
});

describe('the response beside it', () => {
  test('is the first that was given, is not deleted, and has its answers in a list of its survey', async () => {
    const { study, ringAt, answer } = await diaryOf();
    await ringAt(due);
    const second = await answer(due + 20 * minutes, { items: { q1: 'badly', q2: '-3' } });
    // An answer of a phone that was offline, which comes later and was given before.
    const given = new Date(due + 10 * minutes).toISOString();
    const notification = (await list(study))[0].identifier;
    const first = await answer(due + 30 * minutes, { at: given, notification, items: { q1: 'well' } });
    const chidis = async (query = '') => ofChidi(await list(study, query), study)[0];
    const ofSurvey = `?survey=${study.survey}`;
    expect(await chidis()).toMatchObject({ response: first });
    expect(await chidis()).not.toHaveProperty('items');
    expect(await chidis(ofSurvey)).toMatchObject({ response: first, items: { q1: 'well' } });
    const remove = (response: string, status = 'deleted') =>
      stateItems(study, 'delete', { responses: [response] }, status);
    expect((await remove(first)).status).toBe(204);
    expect(await chidis(ofSurvey)).toMatchObject({ response: second, items: { q1: 'badly', q2: '-3' } });
    await remove(second);
    expect(await chidis(ofSurvey)).toMatchObject({ response: null, items: {} });
    await remove(first, 'active');
    expect(await chidis(ofSurvey)).toMatchObject({ response: first });
  });
});

/** Twenty evenings of Chidi and Dana, with answers to some of Chidi's. */
async function manyOf(
  answers: (n: number) => object | undefined = (n) => (n % 3 ? undefined : { q1: `${n}` }),
) {
  setClock('2027-01-31T08:00:00.000Z');
  const study = await sleepStudy();
  setClock(startOfTests);
  const { responder: chidi, other: dana, survey } = study;
  const on = (n: number) => `2027-02-${String(n + 1).padStart(2, '0')}`;
  await seedPast(
    [chidi, dana].flatMap(({ id: user }) =>
      Array.from({ length: 20 }, (_, n) => ({ user, survey, on: on(n), state: 'sent' as const })),
    ),
  );
  const night = await newCase(study, chidi);
  for (let n = 0; n < 20; n++) {
    const items = answers(n);
    const notification = occurrenceIdentifier(chidi.id, survey, 0, on(n));
    const body = { case: night, items, notification, at: `${on(n)}T13:00:00.000Z` };
    if (items) created(await chidi.post(`/survey/${survey}/response`, body));
  }
  return study;
}

describe('pages', () => {
  test('of every length have the same rows', async () => {
    const study = await manyOf();
    const all = await list(study);
    expect(all).toHaveLength(40);
    expect(all.filter(({ response }) => response)).toHaveLength(7);
    for (const limit of [1, 3, 19, 20, 21, 39, 40, 1000]) expect(await pages(study, limit)).toEqual(all);
    const filter = `&survey=${study.survey}&from=2027-02-03&to=2027-02-12`;
    const some = await list(study, `?${filter.slice(1)}`);
    expect(some).toHaveLength(20);
    for (const limit of [1, 7, 20]) expect(await pages(study, limit, filter)).toEqual(some);
    const { headers, body } = await study.owner.get(`${pathOf(study)}?limit=3`);
    expect(headers.get('link')).toBe(`<${pathOf(study)}?limit=3&cursor=${body.next}>; rel="next"`);
  });

  test('of long answers are shorter, and leave nothing out', async () => {
    const long = 'z'.repeat(60_000);
    const study = await manyOf((n) => ({ q1: `${n}`, q2: long }));
    const ofSurvey = `survey=${study.survey}`;
    const first = (
      await study.owner.get(`${pathOf(study)}?${ofSurvey}&limit=1000&user=${study.responder.id}`)
    ).body;
    expect(first.occurrences.length).toBeGreaterThan(5);
    expect(first.occurrences.length).toBeLessThan(20);
    const found = await pages(study, 1000, `&${ofSurvey}`);
    expect(found).toEqual(await list(study, `?${ofSurvey}`));
    expect(found).toHaveLength(40);
    expect(ofChidi(found, study).map(({ items }) => items.q1)).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n}`),
    );
    // Without answers they fit.
    expect((await study.owner.get(`${pathOf(study)}?limit=1000`)).body.next).toBeUndefined();
  });
});

describe('filters', () => {
  test('find dates, a survey, a member, and a code', async () => {
    const study = await manyOf();
    const { owner, responder: chidi, other: dana } = study;
    const dates = (rows: Row[]) => [...new Set(rows.map(({ on }) => on))];
    expect(dates(await list(study, '?from=2027-02-19'))).toEqual(['2027-02-19', '2027-02-20']);
    expect(dates(await list(study, '?to=2027-02-02'))).toEqual(['2027-02-01', '2027-02-02']);
    expect(dates(await list(study, '?from=2027-02-05&to=2027-02-05'))).toEqual(['2027-02-05']);
    const of = async (query: string) => [...new Set((await list(study, query)).map(({ user }) => user))];
    expect(await of(`?user=${chidi.id}`)).toEqual([chidi.id]);
    expect(await pages(study, 6, `&user=${dana.id}`)).toEqual(await list(study, `?user=${dana.id}`));
    // Ada takes no part.
    expect(await of(`?user=${owner.id}`)).toEqual([]);
    await owner.patch(`/investigation/${study.id}/member/${dana.id}`, { code: 'P-018' });
    expect(await of('?code=P-018')).toEqual([dana.id]);
    expect(await of('?code=P-019')).toEqual([]);
  });

  test('say which parameter is wrong', async () => {
    const study = await sleepStudy(daily);
    const other = await sleepStudy(daily);
    const { owner, responder } = study;
    for (const [query, parameter] of [
      ['from=2027-03-02&to=2027-03-01', 'from'],
      ['from=2027-02-30', 'from'],
      ['to=soon', 'to'],
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      ['survey=x', 'survey'],
      ['user=x', 'user'],
      [`user=${responder.id}&code=P-1`, 'code'],
    ] as const) {
      const answer = await owner.get(`${pathOf(study)}?${query}`);
      expectProblem(answer, 'request.invalid');
      expect(answer.body.errors).toEqual([{ parameter, detail: expect.stringMatching(/^Expected/) }]);
    }
    for (const [parameter, id] of [
      ['survey', other.survey],
      ['survey', 'e'.repeat(32)],
      ['user', other.responder.id],
    ] as const) {
      const answer = await owner.get(`${pathOf(study)}?${parameter}=${id}`);
      expectProblem(answer, 'resource.not-found');
      expect(answer.body.errors).toEqual([{ parameter, detail: expect.stringMatching(/^Expected/) }]);
    }
  });

  test('owners and editors read the list, and nobody else', async () => {
    const study = await sleepStudy(daily);
    const stranger = (await sleepStudy()).owner;
    const { owner, editor, responder } = study;
    for (const person of [owner, editor]) expect(await list(study, '', person)).toEqual([]);
    for (const query of ['', `?user=${responder.id}`, '?limit=1', `?survey=${'e'.repeat(32)}`]) {
      expectProblem(await responder.get(pathOf(study) + query), 'action.forbidden');
      expectProblem(await stranger.get(pathOf(study) + query), 'resource.not-found');
    }
  });
});

describe('as CSV', () => {
  test('has a line for each row, with a column for each item of the survey, and is an entry of the log', async () => {
    const study = await manyOf((n) => (n === 3 ? { q1: '=1+1', q2: '-3.5' } : undefined));
    const { owner, editor, responder: chidi } = study;
    const columns =
      'identifier,user,code,survey,on,slot,counter,revision,timeZone,dueAt,sentAt,shownAt,openedAt,answeredAt,late,state,reason,nudges,response';
    const linesOf = async (query: string, by = owner) => {
      const { status, text } = await by.get(`${pathOf(study)}${query}`, csv);
      expect(status, text).toBe(200);
      return text.trimEnd().split('\r\n');
    };
    const all = await linesOf('');
    expect(all[0]).toBe(columns);
    expect(all).toHaveLength(41);
    const rows = await list(study);
    expect(all.slice(1).map((line) => line.split(',')[0])).toEqual(rows.map(({ identifier }) => identifier));

    await owner.patch(`/survey/${study.survey}`, {
      items: [
        { identifier: 'q2', label: 'When did you wake up?' },
        { identifier: 'q3', label: 'And now?' },
      ],
    });
    const query = `?survey=${study.survey}&user=${chidi.id}&from=2027-02-03&to=2027-02-05`;
    const [head, missed, answered, last, ...more] = await linesOf(query, editor);
    expect(head).toBe(`${columns},items.q2,items.q3,other`);
    expect(more).toEqual([]);
    for (const line of [missed, last]) expect(line).toMatch(/,,,,sent,,0,,,,$/);
    const { response } = ofChidi(rows, study)[3];
    expect(answered).toContain(
      `,2027-02-04T13:00:00.000Z,false,sent,,0,${response},-3.5,,"{""q1"":""=1+1""}"`,
    );

    const entries = (await readLog(study, owner, '&action=data.exported')).map(({ actor, details }: Row) => ({
      actor,
      details,
    }));
    const details = { data: 'occurrences', format: 'csv' };
    expect(entries).toEqual([
      { actor: owner.id, details: { ...details, filter: {}, count: 40 } },
      {
        actor: editor.id,
        details: {
          ...details,
          filter: { survey: study.survey, user: chidi.id, from: '2027-02-03', to: '2027-02-05' },
          count: 3,
        },
      },
    ]);
  });
});

test('labels are those of the survey when the answer was given, and values are columns', async () => {
  const { study, chidi, ringAt, answer } = await diaryOf();
  const moods = (good: string, ...more: object[]) => [
    item('mood', choice(option('1', good))),
    item('meals', choices(option('lunch', 'Lunch'), ...more)),
  ];
  const patch = async (items: object[]) =>
    expect((await study.editor.patch(`/survey/${study.survey}`, { items })).status).toBe(200);
  await patch(moods('Good', option('tea', 'Tea')));
  await ringAt(due);
  await answer(due + minutes, { items: { mood: '1', meals: 'tea lunch' } });
  setClock(due + hours);
  await patch(moods('Fine'));
  await ringAt(due + days);
  await answer(due + days + minutes, { items: { mood: '1', meals: 'lunch' } });
  await ringAt(due + 2 * days);
  const query = `?survey=${study.survey}&user=${chidi.id}&labels=true`;
  const labels = (await list(study, query)).map((row) => row.labels);
  expect(labels).toEqual([{ mood: 'Good', meals: 'Tea; Lunch' }, { mood: 'Fine', meals: 'Lunch' }, {}]);
  const { text } = await study.owner.get(`${pathOf(study)}${query}&choices=columns`, csv);
  const rows = tableOf(text).map((row) => [
    row['items.mood'],
    row['items.meals/lunch'],
    row['items.meals/tea'],
  ]);
  expect(rows).toEqual([
    ['Good', '1', '1'],
    ['Fine', '1', '0'],
    ['', '', ''],
  ]);
  for (const parameter of ['labels=true', 'choices=columns'])
    expectProblem(await study.owner.get(`${pathOf(study)}?${parameter}`), 'request.invalid', [
      `?${parameter.split('=')[0]}`,
    ]);
});

test('a reminder that is answered while the list is read is one row of it, as it was or as it is', async () => {
  const { study, ringAt, answer } = await diaryOf();
  await ringAt(due);
  await dropAlarm(study.responder);
  const [before] = ofChidi(await list(study), study);
  const response = await answer(due + 5 * minutes);
  const [after] = ofChidi(await list(study), study);
  expect(after).toEqual({
    ...before,
    answeredAt: '2027-03-01T20:35:00.000Z',
    late: false,
    response,
  });
  // Another response of the day belongs to no reminder, and changes no row.
  await newResponse(study, study.responder, await newCase(study, study.owner));
  expect(ofChidi(await list(study), study)).toEqual([after]);
});
