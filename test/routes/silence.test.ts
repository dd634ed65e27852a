import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Booked, isSilent } from '../../dev/simulator/oracle/counts.ts';
import { deliver } from '../../src/jobs/deliver.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Services } from '../../src/services.ts';
import { Random } from '../support/random.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { easyPush } from './support/apps.ts';
import { days, hours, minutes, setClock, startOfTests } from './support/clock.ts';
import { daily, dropAlarm, pendingOf } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';

/*
 * Who is silent when clocks are ahead for a moment, and what they settled is taken back: the last three were not answered.
 * Chidi has a phone, and is reminded at 20:30 UTC.
 */

const due = Date.parse('2027-03-01T20:30:00.000Z');

const services: Services = {
  ...createServices(env),
  push: { ...createServices(env).push, ...easyPush },
  alarms: { arm: async () => {}, deliver: async () => {} },
  log: () => {},
};

interface Evenings {
  study: Study;
  night: string;
}

async function evenings(reminders: object = daily): Promise<Evenings> {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  await dropAlarm(study.responder);
  return { study, night: await newCase(study, study.owner) };
}

async function deliverOn({ study }: Evenings, evening: number) {
  setClock(due + evening * days);
  await deliver(services, study.responder.id);
}

/** The clock is some evenings ahead while Chidi is looked at; an hour before the `next` evening it is right again. */
async function runAhead(
  of: Evenings,
  { next, by, answers = false }: { next: number; by: number; answers?: boolean },
) {
  await deliverOn(of, next + by);
  if (answers) await answer(of, next + by);
  setClock(due + next * days - hours);
  await sweep(services);
}

async function answer({ study, night }: Evenings, evening: number) {
  setClock(due + evening * days + 30 * minutes);
  await newResponse(study, study.responder, night);
}

async function isCalledSilent({ study: { id, owner, responder } }: Evenings): Promise<boolean> {
  const { status, text, body } = await owner.get(
    `/investigation/${id}/compliance?from=2027-03-01&to=2027-03-02&attention=silent`,
  );
  expect(status, text).toBe(200);
  return body.participants.some(({ user }: { user: string }) => user === responder.id);
}

const leave = ({ study: { id, owner, responder } }: Evenings) =>
  owner.delete(`/investigation/${id}/member/${responder.id}`);

const comeBack = ({ study: { id, owner, responder } }: Evenings) =>
  owner.post(`/investigation/${id}/member`, { user: responder.id, role: 'responder' });

/** From `first` on, whether Chidi is silent after each evening. */
async function silentAfter(of: Evenings, first: number, last: number): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let evening = first; evening <= last; evening++) {
    await deliverOn(of, evening);
    found.push(await isCalledSilent(of));
  }
  return found;
}

test('what a clock sent ahead of its evening is one of the three in a row', async () => {
  const of = await evenings();
  await runAhead(of, { next: 0, by: 1 });
  expect(await isCalledSilent(of)).toBe(false);
  // The second evening was reminded of already.
  expect(await silentAfter(of, 0, 3)).toEqual([false, false, true, true]);
});

test('an answer to what was sent ahead of its evening begins the three anew', async () => {
  const of = await evenings();
  await runAhead(of, { next: 0, by: 1 });
  await deliverOn(of, 0);
  await answer(of, 1);
  expect(await silentAfter(of, 2, 4)).toEqual([false, false, true]);
});

test('who answers while the clock is ahead is silent at the third that comes afterwards', async () => {
  const of = await evenings();
  await deliverOn(of, 0);
  await runAhead(of, { next: 1, by: 1, answers: true });
  expect(await silentAfter(of, 1, 5)).toEqual([false, false, false, false, true]);
});

test('who leaves and comes back is as silent as before, behind what was sent ahead', async () => {
  const of = await evenings();
  await runAhead(of, { next: 0, by: 2 });
  expect(await silentAfter(of, 0, 0)).toEqual([false]);
  await leave(of);
  await comeBack(of);
  await pendingOf(of.study.responder);
  expect(await isCalledSilent(of)).toBe(false);
  await deliverOn(of, 1);
  expect(await isCalledSilent(of)).toBe(true);
  await leave(of);
  expect(await isCalledSilent(of)).toBe(false);
  await comeBack(of);
  expect(await isCalledSilent(of)).toBe(true);
});

test('who answered what was sent ahead is not silent when they come back', async () => {
  const of = await evenings();
  await deliverOn(of, 0);
  await deliverOn(of, 1);
  await runAhead(of, { next: 2, by: 1, answers: true });
  await deliverOn(of, 2);
  expect(await isCalledSilent(of)).toBe(false);
  await leave(of);
  await comeBack(of);
  expect(await isCalledSilent(of)).toBe(false);
});

/** What became of the notifications of a user, for a recount. */
async function booked({ study: { survey, responder } }: Evenings) {
  const { results } = await env.DB.prepare(
    `select user_id as user, survey_id as survey, revision, occurs_on as "on", state, reason,
      answered_at is not null as answered from scheduled_notification
      where user_id = ? and survey_id = ? and state in ('sent', 'failed', 'skipped')`,
  )
    .bind(responder.id, survey)
    .all<Omit<Booked, 'answered' | 'shown' | 'opened'> & { answered: number }>();
  return results.map((row) => ({ ...row, answered: row.answered === 1, shown: false, opened: false }));
}

test.each(Array.from({ length: 8 }, (_, n) => n + 1))(
  'in whatever order: the last three are what a recount says (%d)',
  async (seed) => {
    const random = new Random(seed);
    const of = await evenings({ ...daily, unlessAnswered: random.chance(0.5) });
    const { responder, survey } = of.study;
    let next = 0;
    let here = true;
    const done: string[] = [];
    const steps: Record<string, () => Promise<unknown>> = {
      evening: () => deliverOn(of, next++),
      'the same evening again': () => deliverOn(of, next),
      outage: () => {
        next += 1 + random.int(2);
        return deliverOn(of, next);
      },
      ahead: () => runAhead(of, { next, by: random.int(5), answers: here && random.chance(0.3) }),
      'ahead, then a look': async () => {
        await deliverOn(of, next + 1 + random.int(4));
        setClock(due + next * days - hours);
        await deliver(services, responder.id);
      },
      'an answer': async () => here && (await answer(of, Math.max(0, next - 1))),
      'leaves or comes back': async () => {
        setClock(due + next * days - 2 * hours);
        await (here ? leave(of) : comeBack(of));
        here = !here;
        if (here) await pendingOf(responder);
      },
    };
    for (let n = 0; n < 40; n++) {
      const name = random.pick(['evening', 'evening', 'evening', ...Object.keys(steps)]);
      await steps[name]?.();
      done.push(`${name} (${next})`);
      expect(await isCalledSilent(of), done.join(', ')).toBe(
        here && isSilent(await booked(of), { user: responder.id, survey }),
      );
    }
  },
);
