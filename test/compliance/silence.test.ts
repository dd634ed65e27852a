import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Booked, isSilent } from '../../simulator/oracle/counts.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import { Random } from '../support/random.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { remindersOf } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/* Participants are silent who answered none of the last three. Chidi has a phone, and is reminded at 20:30 UTC. */

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

/** The outcomes of a user's notifications, for a recount. */
async function booked({ study: { survey, responder } }: Evenings): Promise<Booked[]> {
  const all = await remindersOf({ users: [responder.id], survey });
  return all
    .filter(({ state }) => state !== 'scheduled' && state !== 'invalidated')
    .map(({ answered, ...row }) => ({
      ...row,
      answered: answered === 1,
      late: false,
      shown: false,
      opened: false,
    }));
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
