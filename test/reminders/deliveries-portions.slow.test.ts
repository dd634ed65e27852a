import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { PushMessage, PushService, Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import type { Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { asInvocation } from '../support/worker/d1-guard.ts';
import { remindersOf, seedScheduled } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** Chidi takes part in Ada's study, and has joined studies of Mallory's since. */
async function invaded({ studies, surveys, at = due }: { studies: number; surveys: number; at?: number }) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder);
  await pendingOf(study.other);
  await addStudies(study, { studies, surveys, at });
  return study;
}

async function addStudies(
  study: Study,
  { studies, surveys, at }: Record<'studies' | 'surveys' | 'at', number>,
) {
  const stamp = study.id.slice(0, 20);
  const time = new Date(at + 3_600_000).toISOString().slice(11, 16).split(':').reverse().join(' ');
  const reminders = JSON.stringify({
    ...daily,
    recurrence: `${time} * * *`,
    ends: null,
    delay: null,
    unlessAnswered: false,
    expiresAfter: 360,
  });
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${studies * surveys})`;
  const ids = `'${stamp}' || printf('%04x', 1 + (i - 1) / ${surveys}) || '00000000' as study, '${stamp}' || printf('%012x', i) as survey`;
  const joined = startOfTests + 1;
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} insert into investigation (id, name, time_zone, starts_on, created_at, active_since, revision_id, created_hash, creator_id)
        select distinct study, 'Mallory', 'Europe/Paris', '2027-03-01', 0, 0, '', '', '' from (select ${ids} from n)`,
    ),
    env.DB.prepare(
      `${numbers} insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at, revision_id, created_hash)
        select survey, study, 'Spam', '[]', ?, 0, 0, '', '' from (select ${ids} from n)`,
    ).bind(reminders),
    env.DB.prepare(
      `${numbers} insert into member (investigation_id, user_id, role, created_at)
        select distinct study, ?, 'responder', ${joined} from (select ${ids} from n)`,
    ).bind(study.responder.id),
  ]);
  await seedScheduled(
    Array.from({ length: studies * surveys }, (_, n) => ({
      ...{ user: study.responder.id, survey: `${stamp}${(n + 1).toString(16).padStart(12, '0')}` },
      ...{ on: '2027-03-01', dueAt: at, timeZone: 'Europe/Paris' },
    })),
  );
}

/** Services whose pushes are noted. After `failAfter` batches the database fails, as when the process dies. */
function witnessed(limit: Partial<Pick<Services, 'pushesPerDay'>> = {}) {
  const pushes: PushMessage[] = [];
  let writes = Infinity;
  const { db, ...services } = createServices(env);
  const push = {
    ...easyPush,
    send: async (message: PushMessage) => {
      pushes.push(message);
      return { state: 'sent' as const, messageId: `message ${pushes.length}` };
    },
  } as PushService;
  const dying = new Proxy(db, {
    get: (target, key) => {
      if (key === 'batch' && writes-- <= 0) throw new Error('killed');
      return Reflect.get(target, key);
    },
  });
  const dieAfter = (batches: number) => {
    writes = batches;
  };
  return {
    services: { ...services, ...limit, db: dying, push, log: () => {} } as Services,
    /** As after its death. */
    restarted: { ...createServices(env), ...limit, push, log: () => {} } as Services,
    pushes,
    dieAfter,
  };
}

const ofStudy = (pushes: PushMessage[], study: Study) =>
  pushes.filter(({ data }) => data.investigation === study.id);

const settled = async (study: Study) => {
  const counts = new Map<string, number>();
  for (const { on, state, reason } of await remindersOf({ users: [study.responder.id] }))
    if (on === '2027-03-01') counts.set(reason ?? state, (counts.get(reason ?? state) ?? 0) + 1);
  return [...counts].toSorted().map(([state, n]) => ({ state, n }));
};

describe('600 reminders of a stranger, due at once with the own one', () => {
  test('leave the own one delivered and settled, push a hundred of each study, and settle the rest as too many', async () => {
    const study = await invaded({ studies: 2, surveys: 300 });
    setClock(due);
    const { services, pushes } = witnessed();
    let next: number | null = due;
    // As the alarm rings again while something is due.
    for (let n = 0; n < 3 && next !== null && next <= due; n++)
      next = await asInvocation(() => deliver(services, study.responder.id));
    expect(ofStudy(pushes, study)).toHaveLength(1);
    expect(pushes).toHaveLength(201);
    expect(await settled(study)).toEqual([
      { state: 'sent', n: 201 },
      { state: 'too-many', n: 400 },
    ]);
    expect(next).toBe(due + 24 * 3_600_000);
    const rows: { on: string; state: string }[] = [];
    // A page looks at so many of the person's notifications: one survey of thousands comes in shorter ones.
    for (let more: string | undefined = ''; more !== undefined; ) {
      const { body } = await study.owner.get(
        `/survey/${study.survey}/notifications?user=${study.responder.id}${more && `&cursor=${more}`}`,
      );
      rows.push(...body.notifications);
      more = body.next;
    }
    expect(rows.map(({ on, state }) => [on, state])).toEqual([
      ['2027-03-02', 'scheduled'],
      ['2027-03-01', 'sent'],
    ]);

    await deliver(services, study.responder.id);
    expect(pushes).toHaveLength(201);
  });
});

describe('portions', () => {
  test('after a crash between two of them at most one is repeated, and nothing is lost', async () => {
    const study = await invaded({ studies: 1, surveys: 70 });
    setClock(due);
    const { services, restarted, pushes, dieAfter } = witnessed();
    // Claim, settle, claim, and the second portion is pushed and not recorded.
    dieAfter(3);
    const setTimeout = globalThis.setTimeout;
    globalThis.setTimeout = ((work: () => void) => setTimeout(work, 0)) as typeof globalThis.setTimeout;
    await expect(deliver(services, study.responder.id)).rejects.toThrow('killed');
    globalThis.setTimeout = setTimeout;
    expect(pushes).toHaveLength(71);
    // The turn that died is over after a minute.
    setClock(due + 61_000);
    await deliver(restarted, study.responder.id);
    expect(await settled(study)).toEqual([{ state: 'sent', n: 71 }]);
    expect(new Set(pushes.map(({ collapseId }) => collapseId)).size).toBe(71);
    expect(pushes.length).toBeLessThanOrEqual(71 + 50);
  });

  test('begin with what has been due for longest', async () => {
    const study = await invaded({ studies: 1, surveys: 60, at: due + 30 * 60_000 });
    setClock(due + 60 * 60_000);
    const { services, pushes } = witnessed();
    await deliver(services, study.responder.id);
    expect(pushes).toHaveLength(61);
    expect(ofStudy(pushes.slice(0, 20), study)).toHaveLength(1);
  });

  test('settle a year of dates of many surveys within what one value may hold', async () => {
    const study = await invaded({ studies: 1, surveys: 60 });
    setClock(due + 365 * 24 * 3_600_000);
    const { services, pushes } = witnessed();
    await deliver(services, study.responder.id);
    const ofSurvey = Map.groupBy(await remindersOf({ users: [study.responder.id] }), ({ survey }) => survey);
    expect(ofSurvey.size).toBe(61);
    for (const rows of ofSurvey.values()) {
      const count = (state: string) => rows.filter((row) => row.state === state).length;
      expect([rows.length, count('sent'), count('scheduled')]).toEqual([367, 1, 1]);
    }
    expect(pushes).toHaveLength(61);
  });
});
