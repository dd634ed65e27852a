import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { reconcile } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { purgeNotifications } from '../../src/reminders/retention.ts';
import type { Services } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver, plan } from '../support/engine.ts';
import { outdate } from '../support/reminder-rows.ts';
import { easyPush } from '../support/worker/apps.ts';
import { days, setClock, startOfTests } from '../support/worker/clock.ts';
import {
  carryOut,
  clearReminders,
  countPast,
  remindersOf,
  seedPast,
} from '../support/worker/reminder-tables.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

describe('400 days after the end of a series', () => {
  const due = Date.parse('2027-03-01T20:30:00.000Z');
  const services: Services = {
    ...createServices(env),
    push: { ...createServices(env).push, ...easyPush },
    alarms: { arm: async () => {}, deliver: async () => {} },
    log: () => {},
  };

  test('its dates are gone for good: they neither are planned again nor come back as expired', async () => {
    const study = await sleepStudy({ ...daily, ends: 3 });
    const chidi = study.responder;
    await newPhone(chidi, 'Europe/Paris');
    await pendingOf(chidi);
    await pendingOf(study.other);
    for (const day of [0, 1, 2]) {
      setClock(due + day * days);
      await deliver(services, chidi.id);
    }
    // Tokens do not live that long.
    const dates = async () =>
      (await remindersOf({ users: [chidi.id] })).map(({ on, state }) => `${on} ${state}`).toSorted();
    const travel = async (time: string) => {
      await env.DB.prepare('update user set custom_reminders_time = ? where id = ?')
        .bind(time, chidi.id)
        .run();
      await carryOut(outdate({ user: chidi.id }));
      await plan(services, [chidi.id]);
    };
    const all = ['2027-03-01 sent', '2027-03-02 sent', '2027-03-03 sent'];
    expect(await dates()).toEqual(all);
    // The first of them is past its retention, then all are.
    for (const [age, left] of [
      [400, all],
      [401, all.slice(1)],
      [403, []],
      [500, []],
    ] as const) {
      setClock(due + age * days);
      await reconcile(services);
      for (const time of ['06:00', '22:00']) {
        await travel(time);
        await deliver(services, chidi.id);
      }
      await reconcile(services);
      expect(await dates(), `after ${age} days`).toEqual(left);
    }
  });
});

describe('the purge of settled notifications', () => {
  const users = Array.from({ length: 25 }, (_, n) => n.toString(16).padStart(32, 'e'));

  /** For each user this many days of a survey, back from `from` days ago. */
  const settled = (survey: string, { from, dates }: { from: number; dates: number }) =>
    seedPast(
      users.flatMap((user) =>
        Array.from({ length: dates }, (_, n) => {
          const settledAt = startOfTests - (n + from) * days;
          const on = new Date(settledAt).toISOString().slice(0, 10);
          return { user, survey, on, settledAt, state: 'sent' } as const;
        }),
      ),
    );

  async function purge() {
    const { counts, database } = countedD1(env.DB);
    const purged = await purgeNotifications({ db: openD1(database), now: startOfTests }, users);
    return { ...counts, purged };
  }

  beforeAll(async () => {
    await clearReminders();
    for (const survey of ['morning', 'evening']) await settled(survey, { from: 1, dates: 400 });
  });

  test('reads a few rows of each series, and nothing of the 20,000 that are kept', async () => {
    const { purged, roundTrips, rowsRead, rowsWritten } = await purge();
    expect({ purged, roundTrips, rowsWritten }).toEqual({ purged: 0, roundTrips: 1, rowsWritten: 0 });
    expect(rowsRead).toBeLessThanOrEqual(20 * 2 * users.length);
  });

  test('removes what is past its retention, a thousand at a time, and reads what it removes', async () => {
    await settled('morning', { from: 401, dates: 100 });
    const { purged, roundTrips, rowsRead } = await purge();
    expect({ purged, roundTrips }).toEqual({ purged: 2500, roundTrips: 3 });
    expect(rowsRead).toBeLessThanOrEqual(8 * 2500);
    expect(await countPast()).toBe(20_000);
  });
});
