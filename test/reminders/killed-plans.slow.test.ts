import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { minutesOf } from '../support/engine.ts';
import { newApp } from '../support/worker/apps.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { remindersOf } from '../support/worker/reminder-tables.ts';
import { daily, jobsDone } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { FaultPoints, withFaultPoints } from './support/fault-points.ts';

test('killed before or after any round trip while it plans 250 members, a service loses nobody and doubles nobody', async () => {
  const study = await sleepStudy(daily);
  await jobsDone();
  await addMembers(study, 250);
  const points = new FaultPoints();
  const services = {
    ...createServices(env),
    db: openD1(withFaultPoints(env.DB, points)),
    alarms: { arm: async () => {}, deliver: async () => {} },
    log: () => {},
  };
  const minute = minutesOf();
  const { send } = newApp({ defer: () => {} });

  let steps = Number.POSITIVE_INFINITY;
  for (let fatal = 0; fatal <= steps; fatal++) {
    const minuteOfHour = fatal % 60;
    const reminders = { ...daily, recurrence: `${minuteOfHour} ${fatal % 2 ? 22 : 21} * * *` };
    const call = { method: 'PATCH', token: study.owner.token, body: { reminders } };
    expect((await send(`/survey/${study.survey}`, call)).status).toBe(200);
    later(minutes);
    points.arm(fatal);
    await minute(services).catch(() => {});
    if (points.passed <= fatal) steps = Math.min(steps, points.passed);
    points.arm(null);
    for (let n = 0; n < 3; n++) {
      later(minutes);
      await minute(services);
    }
    const hour = fatal % 2 ? '21' : '20';
    const due = Date.parse(`2027-03-01T${hour}:${String(minuteOfHour).padStart(2, '0')}:00.000Z`);
    const all = (await remindersOf({ survey: study.survey })).filter(({ state }) => state === 'scheduled');
    expect(all, `killed at point ${fatal}`).toHaveLength(252);
    expect(new Set(all.map(({ user }) => user)).size, `killed at point ${fatal}`).toBe(252);
    expect(new Set(all.map(({ dueAt }) => dueAt)), `killed at point ${fatal}`).toEqual(new Set([due]));
  }
  // A minute that plans so many is more than one read and one write.
  expect(steps).toBeGreaterThanOrEqual(4);
});
