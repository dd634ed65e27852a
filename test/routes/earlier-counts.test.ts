import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { reconcile } from '../../src/jobs/reconcile.ts';
import { countEarlier } from '../../src/model/reminders/earlier-counts.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { wrappedDb } from './support/apps.ts';
import { addMembers } from './support/bulk.ts';
import { setClock } from './support/clock.ts';
import { seedHistory } from './support/purges.ts';
import { daily, pendingOf, ring } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';

/* What a version settled that did not count is counted afterwards, in slices, each notification once. */

const services = {
  ...createServices(env),
  alarms: { arm: async () => {}, deliver: async () => {} },
  log: () => {},
};

/** More than four slices of a thousand. */
const members = 12;

/** Makes of what was counted what an older version left: no counts, and a walk that has not begun. */
const uncount = () =>
  env.DB.batch(
    [
      'update scheduled_notification set tally = null, apart = null',
      ...['survey_compliance', 'participant_compliance', 'silent_participant'].map(
        (name) => `delete from ${name}`,
      ),
      "delete from job where name = 'earlier-counts'",
    ].map((statement) => env.DB.prepare(statement)),
  );

test('each is counted once, in slices, through failures, beside what is settled meanwhile', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  await addMembers(study, members - 4);
  await seedHistory(study, 360);
  const skipped = await env.DB.prepare(
    `update scheduled_notification set state = 'skipped', reason = 'no-device', pushes = null, shown_at = null, opened_at = null,
      answered_at = null where user_id = ? and settled_at = 1`,
  )
    .bind(study.other.id)
    .run();
  expect(skipped.meta.changes).toBeGreaterThanOrEqual(360);
  const path = `/investigation/${study.id}/compliance?from=2026-03-02&to=2027-03-01`;
  const read = async () => (await study.owner.get(path)).body;
  const before = await read();
  const days = 356;
  const reacted = {
    shown: (members - 1) * days,
    opened: (members - 1) * days,
    answered: (members - 1) * days,
  };
  const sent = { sent: (members - 1) * days, failed: 0, skipped: { 'no-device': days }, ...reacted };
  expect(before.totals).toEqual({ due: members * days, ...sent });
  const counted = before.participants.map(({ due, skipped, opened }: Record<string, unknown>) => ({
    due,
    skipped,
    opened,
  }));

  await uncount();
  expect((await read()).totals.due).toBe(0);
  // One that is settled by now, by a version that counts.
  setClock('2027-03-01T20:30:00.000Z');
  await ring(study.responder);
  expect((await read()).totals).toMatchObject({ due: 1, sent: 1 });

  // The third slice fails; an hour later the walk goes on there.
  let slices = 0;
  const failing = wrappedDb((queries, answer) => {
    if (queries.some((query) => /"compliance_change"/.test(query)) && ++slices === 3)
      throw new Error('D1 is overloaded');
    return answer();
  });
  await reconcile({ ...services, db: failing });
  const partly = (await read()).totals.due;
  expect(partly).toBeLessThan(members * days);
  for (let run = 0; run < 2; run++) {
    await reconcile(services);
    const { totals, participants } = await read();
    expect(totals).toEqual({ ...before.totals, due: members * days + 1, sent: (members - 1) * days + 1 });
    expect(
      participants.map(({ user, due, skipped, opened }: Record<string, unknown>) => ({
        due: Number(due) - (user === study.responder.id ? 1 : 0),
        skipped,
        opened,
      })),
    ).toEqual(counted);
  }
});

test('nobody is silent for what was settled before answers were noted', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  const silentAfter = async (evening: number) => {
    setClock(`2027-03-0${evening}T20:30:00.000Z`);
    await ring(study.responder);
    const path = `/investigation/${study.id}/compliance?from=2027-03-01&to=2027-03-02&attention=silent`;
    const { participants } = (await study.owner.get(path)).body;
    return participants.some(({ user }: { user: string }) => user === study.responder.id);
  };
  expect([await silentAfter(1), await silentAfter(2)]).toEqual([false, false]);
  await uncount();
  await reconcile(services);
  expect([await silentAfter(3), await silentAfter(4), await silentAfter(5)]).toEqual([false, false, true]);
});

test('a walk that has ended reads one row', async () => {
  await reconcile(services);
  const { counts, database } = countedD1(env.DB);
  expect(await countEarlier({ db: openD1(database), now: Date.now() })).toBe(false);
  expect(counts).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
});
