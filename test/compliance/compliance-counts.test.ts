import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Counts } from '../../src/compliance/counts.ts';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { days, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { remindersOf } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, history, pendingOf, tick } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, tokenOf } from '../support/worker/world.ts';

/*
 * Due reminders stay counted, whatever happens to the notification, the member, the survey and the user. Chidi alone has
 * a phone, and is reminded at 20:30 UTC.
 */

const due = Date.parse('2027-03-01T20:30:00.000Z');
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

const services: Services = {
  ...createServices(env),
  push: { ...createServices(env).push, ...easyPush },
  alarms: { arm: async () => {}, deliver: async () => {} },
  log: () => {},
};

async function evenings(count: number) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  for (const member of [study.responder, study.other]) await pendingOf(member);
  await dropAlarm(study.responder);
  for (let n = 0; n < count; n++) await deliverAt(study, due + n * days);
  return study;
}

async function deliverAt({ responder }: Study, at: number) {
  setClock(at);
  await deliver(services, responder.id);
}

interface Participant extends Counts {
  user: string;
  attention: string[];
}

/** Of the first days of March, as asked: the totals, how many were due on each day, and the participants. */
async function complianceOf({ id, owner }: Study, query = '') {
  // Theirs may have expired.
  const headers = { authorization: `Bearer ${await tokenOf(owner.email.split('@')[0] ?? '')}` };
  const read = async (path: string) => {
    const asked = `from=2027-03-01&to=2027-03-03${query}`;
    const { status, text, body } = await owner.get(
      `/investigation/${id}/compliance${path}?${asked}`,
      headers,
    );
    expect(status, text).toBe(200);
    return body;
  };
  const { totals, participants }: { totals: Counts; participants: Participant[] } = await read('');
  const found: { days: Counts[] } = query.includes('attention') ? { days: [] } : await read('/daily');
  return { totals, participants, byDate: found.days.map(({ due }) => due) };
}

const chidiOf = (participants: Participant[], { responder }: Study) =>
  participants.find(({ user }) => user === responder.id);

test('when the notifications are purged, also what came late to them', async () => {
  const study = await evenings(3);
  const { responder } = study;
  await newResponse(study, responder, await newCase(study, study.owner));
  for (const { identifier } of (await history(responder)).filter(({ state }) => state === 'sent')) {
    const receipt = await responder.post(`/notification/${identifier}/receipt`, { event: 'opened' });
    expect(receipt.status).toBe(204);
  }
  // Skips what Dana was due, who has no phone.
  await tick();
  const before = await complianceOf(study);
  const chidi = { ...none, due: 3, sent: 3, opened: 3, answered: 1 };
  expect(before.totals).toEqual({ ...chidi, due: 6, skipped: { expired: 2, 'no-device': 1 } });
  expect(chidiOf(before.participants, study)).toMatchObject(chidi);

  // Two of them are past their retention, then all.
  for (const [age, left] of [
    [402, 1],
    [405, 0],
  ] as const) {
    setClock(due + age * days);
    await tick();
    const kept = await remindersOf({ users: [responder.id] });
    expect(kept.filter(({ on }) => on <= '2027-03-03')).toHaveLength(left);
    const { totals, participants, byDate } = await complianceOf(study);
    expect({ totals, byDate }).toEqual({ totals: before.totals, byDate: before.byDate });
    expect(chidiOf(participants, study)).toMatchObject(chidi);
  }
});

test('a clock that is behind for a moment leaves no date without a record', async () => {
  const study = await evenings(0);
  // The service was down for two evenings.
  await deliverAt(study, due + 2 * days);
  const before = await complianceOf(study);
  expect(before.byDate).toEqual([1, 1, 1]);
  setClock(due - 60 * minutes);
  await sweep(services);
  expect((await complianceOf(study)).byDate).toEqual(before.byDate);
  setClock(due + 2 * days + 30 * minutes);
  await sweep(services);
  await deliver(services, study.responder.id);
  expect(await history(study.responder)).toMatchObject([
    { on: '2027-03-04', state: 'scheduled' },
    { on: '2027-03-03', state: 'sent' },
    { on: '2027-03-02', state: 'skipped', reason: 'expired' },
    { on: '2027-03-01', state: 'skipped', reason: 'expired' },
  ]);
  const after = await complianceOf(study);
  expect(after.byDate).toEqual(before.byDate);
  // None of the last three was answered.
  expect(chidiOf(after.participants, study)?.attention).toContain('silent');
});

test('a reminder that comes back after it was invalidated counts once, when it was sent', async () => {
  const study = await evenings(0);
  const { owner, responder, survey } = study;
  const becomes = (state: string) =>
    eventually(`the first of March is ${state}`, async () =>
      (await history(responder)).some((row) => row.on === '2027-03-01' && row.state === state),
    );
  for (const [status, state] of [
    ['archived', 'invalidated'],
    ['active', 'scheduled'],
  ] as const) {
    await owner.patch(`/survey/${survey}`, { status });
    await becomes(state);
    expect((await complianceOf(study)).totals).toEqual(none);
  }
  await deliverAt(study, due);
  const sent = await complianceOf(study);
  expect(sent.totals).toEqual({ ...none, due: 1, sent: 1 });
  expect(chidiOf(sent.participants, study)).toMatchObject(sent.totals);
});

test('a survey that is archived keeps its counts, and can be asked for', async () => {
  const study = await evenings(3);
  const before = await complianceOf(study);
  expect(chidiOf(before.participants, study)?.attention).toContain('silent');
  await study.owner.patch(`/survey/${study.survey}`, { status: 'archived' });
  for (const query of ['', `&survey=${study.survey}`]) {
    const archived = await complianceOf(study, query);
    expect(archived.totals).toEqual({ ...none, due: 3, sent: 3 });
    expect(archived.byDate).toEqual(before.byDate);
    expect(chidiOf(archived.participants, study)).toMatchObject(archived.totals);
    // Nobody expects them to answer it.
    expect((await complianceOf(study, `${query}&attention=silent`)).participants).toEqual([]);
  }
});

test('a user who is deleted stays in the totals, without name or identifier', async () => {
  const study = await evenings(2);
  const { id, owner, responder } = study;
  const before = await complianceOf(study);
  expect((await responder.delete('/user/me')).status).toBe(204);
  const after = await complianceOf(study);
  expect({ totals: after.totals, byDate: after.byDate }).toEqual({
    totals: before.totals,
    byDate: before.byDate,
  });
  const csv = await owner.get(`/investigation/${id}/compliance`, { accept: 'text/csv' });
  for (const answer of [JSON.stringify(after), csv.text]) {
    expect(answer).not.toContain(responder.id);
    expect(answer).not.toContain('Chidi');
    expect(answer).not.toContain('Deleted user');
  }
});
