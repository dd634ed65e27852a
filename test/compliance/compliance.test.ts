import { describe, expect, test } from 'vitest';
import { newCase, newResponse } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dueAt, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const none = {
  due: 0,
  sent: 0,
  failed: 0,
  skipped: {},
  shown: 0,
  opened: 0,
  answered: 0,
  answeredLate: 0,
};

/** Chidi gets the diary on the first evenings of March; Ada, who has no phone, takes no part. */
async function evenings(days: readonly string[]) {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  for (const day of days) {
    setClock(`2027-03-${day}T20:30:00.000Z`);
    await ring(study.responder);
  }
  const compliance = async (query = '', of = study.owner) =>
    (await of.get(`/investigation/${study.id}/compliance${query}`)).body;
  return { study, compliance };
}

describe('compliance', () => {
  test('counts what was settled, for each member and for all', async () => {
    const { study, compliance } = await evenings(['01', '02', '03']);
    const page = await compliance();
    expect(page).toMatchObject({
      investigation: `investigation/${study.id}`,
      from: '2027-02-04',
      to: '2027-03-03',
    });
    const chidi = page.participants.find(({ user }: { user: string }) => user === study.responder.id);
    expect(chidi).toEqual({
      user: study.responder.id,
      name: 'Chidi',
      ...none,
      due: 3,
      sent: 3,
      lastAnsweredAt: null,
      lastSeenAt: expect.any(String),
      reachable: true,
      attention: ['silent', 'never-downloaded'],
    });
    expect(page.totals).toEqual({ ...none, due: 3, sent: 3 });
  });

  test('lists one member who is asked for, as in the list of all, and nobody else', async () => {
    const { study, compliance } = await evenings(['01', '02']);
    const { responder, owner } = study;
    const all = (await compliance()).participants;
    for (const { id } of [responder, owner])
      expect((await compliance(`?user=${id}`)).participants).toEqual(
        all.filter(({ user }: { user: string }) => user === id),
      );
    expect((await compliance(`?user=${responder.id}`)).totals).toEqual((await compliance()).totals);
    // Ada takes no part, and is in the study; who is not is not found, and neither is who has left.
    expect((await compliance(`?user=${owner.id}`)).participants).toEqual([]);
    const elsewhere = await sleepStudy(daily);
    await study.other.delete(`/investigation/${study.id}/member/me`);
    for (const stranger of ['e'.repeat(32), elsewhere.responder.id, study.other.id])
      for (const asker of [owner, study.editor]) {
        const answer = await asker.get(`/investigation/${study.id}/compliance?user=${stranger}`);
        expectProblem(answer, 'resource.not-found');
        expect(answer.body.errors).toEqual([
          { parameter: 'user', detail: expect.stringMatching(/^Expected/) },
        ]);
      }
    const path = `/investigation/${study.id}/compliance?user=${responder.id}`;
    const both = await owner.get(`${path}&attention=silent`);
    expectProblem(both, 'request.invalid');
    expect(both.body.errors).toEqual([
      { parameter: 'attention', detail: expect.stringMatching(/^Expected/) },
    ]);
    expectProblem(await responder.get(path), 'action.forbidden');
    expectProblem(await responder.get(path.replace(responder.id, 'e'.repeat(32))), 'action.forbidden');
  });

  test('answers and receipts are counted with the reminder, however late', async () => {
    const { study, compliance } = await evenings(['01', '02']);
    const [second, first] = (await study.responder.get('/user/me/notifications')).body.notifications.filter(
      ({ state }: { state: string }) => state === 'sent',
    );
    setClock('2027-03-02T21:00:00.000Z');
    await newResponse(study, study.responder, await newCase(study, study.owner));
    for (const { identifier } of [first, second, first])
      for (const event of ['shown', 'opened'])
        expect((await study.responder.post(`/notification/${identifier}/receipt`, { event })).status).toBe(
          204,
        );
    for (const [from, to, counts] of [
      ['2027-03-01', '2027-03-01', { due: 1, sent: 1, shown: 1, opened: 1, answered: 0 }],
      ['2027-03-02', '2027-03-02', { due: 1, sent: 1, shown: 1, opened: 1, answered: 1 }],
      ['2027-03-01', '2027-03-02', { due: 2, sent: 2, shown: 2, opened: 2, answered: 1 }],
    ] as const) {
      const page = await compliance(`?from=${from}&to=${to}`);
      expect(page.totals).toEqual({ ...none, ...counts });
      expect(page.participants.find(({ due }: { due: number }) => due > 0)).toMatchObject({
        ...counts,
        lastAnsweredAt: '2027-03-02T21:00:00.000Z',
      });
    }
  });

  test('a date is the participant’s own, and the default ends with the latest that has begun for anybody', async () => {
    setClock(startOfTests);
    const study = await sleepStudy({ ...daily, recurrence: '0 9 * * *' });
    const { id, owner, responder } = study;
    await owner.patch(`/investigation/${id}`, { timeZone: 'America/New_York' });
    await newPhone(responder, 'Pacific/Auckland');
    const path = `/investigation/${id}/compliance`;
    const period = async () => (({ from, to }) => [from, to])((await owner.get(path)).body);
    expect(await period()).toEqual(['2027-02-02', '2027-03-01']);
    // 9:00 on 2 March in Auckland, and 15:00 on 1 March in New York.
    const due = '2027-03-01T20:00:00.000Z';
    await dueAt(responder, due);
    setClock(due);
    await ring(responder);
    expect((await history(responder)).find(({ state }) => state === 'sent')).toMatchObject({
      on: '2027-03-02',
    });
    expect(await period()).toEqual(['2027-02-03', '2027-03-02']);
    const { totals, participants } = (await owner.get(path)).body;
    expect(totals).toMatchObject({ due: 1, sent: 1 });
    expect(participants.find(({ user }: { user: string }) => user === responder.id)).toMatchObject({
      sent: 1,
    });
    for (const query of ['', '?from=2027-03-02', `?survey=${study.survey}`]) {
      const { days } = (await owner.get(`${path}/daily${query}`)).body;
      expect(days.at(-1)).toMatchObject({ date: '2027-03-02', due: 1, sent: 1 });
    }
    // In New York it is 2 March too, and 3 March has not begun for anybody with a reminder.
    setClock('2027-03-02T12:00:00.000Z');
    expect(await period()).toEqual(['2027-02-03', '2027-03-02']);
  });

  test('says which parameter is wrong', async () => {
    const study = await sleepStudy(daily);
    const other = await sleepStudy(daily);
    const ask = (query: string) => study.owner.get(`/investigation/${study.id}/compliance?${query}`);
    for (const [query, parameter] of [
      ['from=2027-03-02&to=2027-03-01', 'from'],
      ['from=2027-03-02', 'from'],
      ['from=2026-02-28&to=2027-03-01', 'to'],
      ['from=2025-02-28', 'from'],
      ['from=2027-02-30', 'from'],
      ['to=soon', 'to'],
      ['attention=lost', 'attention'],
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      ['survey=x', 'survey'],
    ] as const) {
      const answer = await ask(query);
      expectProblem(answer, 'request.invalid');
      expect(answer.body.errors).toEqual([{ parameter, detail: expect.stringMatching(/^Expected/) }]);
    }
    const answers = [await ask(`survey=${other.survey}`), await ask(`survey=${'e'.repeat(32)}`)];
    for (const answer of answers) {
      expectProblem(answer, 'resource.not-found');
      expect(answer.body.errors).toEqual([
        { parameter: 'survey', detail: expect.stringMatching(/^Expected/) },
      ]);
    }
    expect((await ask('from=2026-03-01&to=2027-03-01')).status).toBe(200);
    expect((await ask('to=0000-01-02')).body).toMatchObject({ from: '0000-01-01', to: '0000-01-02' });
  });
});

describe('attention', () => {
  test('pages by user, as CSV all at once', async () => {
    const { study, compliance } = await evenings(['01']);
    const { participants } = await compliance();
    const names: string[] = [];
    for (let query = '?limit=1'; query !== ''; ) {
      const page = await compliance(query);
      expect(page.totals).toMatchObject({ due: 1 });
      names.push(...page.participants.map(({ name }: { name: string }) => name));
      query = page.next ? `?limit=1&cursor=${page.next}` : '';
    }
    expect(names).toEqual(participants.map(({ name }: { name: string }) => name));
    const csv = await study.owner.get(`/investigation/${study.id}/compliance`, { accept: 'text/csv' });
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(participants.length + 1);
    expect(csv.text).toContain('user,name,due,sent,failed,shown');
  });

  test('day by day of each participant: what was due, sent, opened and answered, and what was skipped', async () => {
    const { study, compliance } = await evenings(['01', '02']);
    const { responder, owner } = study;
    const first = (await history(responder)).find(({ on }) => on === '2027-03-01');
    await responder.post(`/notification/${first.identifier}/receipt`, { event: 'opened' });
    await newResponse(study, responder, await newCase(study, owner));
    await responder.put('/user/me/pause', { until: null });
    setClock('2027-03-03T20:30:00.000Z');
    await ring(responder);
    const period = '?from=2027-02-28&to=2027-03-03';
    const body = await compliance(`/daily/participants${period}`);
    expect(body).toMatchObject({ from: '2027-02-28', to: '2027-03-03' });
    expect(body.participants.find(({ user }: { user: string }) => user === responder.id)).toEqual({
      user: responder.id,
      name: 'Chidi',
      due: [0, 1, 1, 1],
      sent: [0, 1, 1, 0],
      failed: [0, 0, 0, 0],
      opened: [0, 1, 0, 0],
      answered: [0, 0, 1, 0],
      answeredLate: [0, 0, 0, 0],
    });
    const ofOne = await compliance(`/daily/participants${period}&limit=1`);
    expect(ofOne.participants).toEqual([body.participants[0]]);
    const rest = await compliance(`/daily/participants${period}&limit=1&cursor=${ofOne.next}`);
    expect(rest.participants).toEqual([body.participants[1]]);
    const paused = await compliance(`/daily/participants${period}&attention=paused`);
    expect(paused.participants.map(({ name }: { name: string }) => name)).toEqual(['Chidi']);
  });

  test('days of each participant are for owners and editors, within a year, of a survey of the study', async () => {
    const { study } = await evenings([]);
    const { owner, responder } = study;
    const path = `/investigation/${study.id}/compliance/daily/participants`;
    expectProblem(await responder.get(path), 'action.forbidden');
    expectProblem(await owner.get(`${path}?from=2026-01-01&to=2027-01-02`), 'request.invalid');
    expectProblem(await owner.get(`${path}?attention=silent&code=x`), 'request.invalid');
    expectProblem(await owner.get(`${path}?survey=${study.id}`), 'resource.not-found');
    expectProblem(await owner.get(`${path}?limit=1001`), 'request.invalid');
  });

  test('as CSV, each reason to skip has a column, and they add up to what was due', async () => {
    const { study } = await evenings(['01']);
    const { owner, responder } = study;
    await owner.patch(`/survey/${study.survey}`, { reminders: { ...daily, unlessAnswered: true } });
    await dueAt(responder, '2027-03-02T20:30:00.000Z');
    setClock('2027-03-02T08:00:00.000Z');
    await newResponse(study, responder, await newCase(study, owner));
    setClock('2027-03-02T20:30:00.000Z');
    await ring(responder);
    await responder.put('/user/me/pause', { until: null });
    for (const day of ['03', '04']) {
      setClock(`2027-03-${day}T20:30:00.000Z`);
      await ring(responder);
    }
    const csv = await owner.get(`/investigation/${study.id}/compliance`, { accept: 'text/csv' });
    const [header = [], ...lines] = csv.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const rows = lines.map((cells) => Object.fromEntries(header.map((column, n) => [column, cells[n]])));
    const chidi = rows.find(({ user }) => user === responder.id) ?? {};
    expect(chidi).toMatchObject({
      due: '4',
      sent: '1',
      failed: '0',
      skipped_answered: '1',
      skipped_paused: '2',
      'skipped_no-device': '0',
    });
    for (const row of rows) {
      expect(Object.keys(row)).not.toContain('skipped');
      const skipped = Object.keys(row).filter((column) => column.startsWith('skipped_'));
      const sum = ['sent', 'failed', ...skipped].reduce((sum, column) => sum + Number(row[column]), 0);
      expect(sum).toBe(Number(row.due));
    }
  });

  test('members who leave stay in the totals, and are found again when they are back', async () => {
    const { study, compliance } = await evenings(['01', '02']);
    const { owner, responder } = study;
    const members = () =>
      compliance().then((page) => page.participants.map(({ user }: { user: string }) => user));
    await owner.delete(`/investigation/${study.id}/member/${responder.id}`);
    expect(await members()).not.toContain(responder.id);
    expect((await compliance()).totals).toMatchObject({ due: 2, sent: 2 });
    await owner.post(`/investigation/${study.id}/member`, { user: responder.id, role: 'responder' });
    expect((await compliance()).participants.find(({ due }: { due: number }) => due === 2)).toMatchObject({
      user: responder.id,
    });
  });
});
