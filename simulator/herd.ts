import type { Run } from './context.ts';
import type { DeliveryModel } from './delivery-objects.ts';
import { occurrenceId } from './facts.ts';
import { isExcused } from './follow-ups.ts';
import { type Trouble, type TroubleName, troubles } from './herd-troubles.ts';
import { type Models, simulate } from './run.ts';
import { readScenario } from './scenario.ts';
import { readRows } from './tables.ts';

/** The result of a herd. */
export interface HerdResults {
  users: number;
  sent: number;
  /** Phones that got it more than once, and those whose first sender could not record it. */
  twice: number;
  excused: number;
  /** Reasons of those not sent. */
  lost: Record<string, number>;
  /** Members without a next reminder. */
  unplanned: number;
  /** From the due time, or the end of a trouble that holds all back, to the relay's acceptance. */
  lateMs: { p50: number; p95: number; p99: number; most: number };
  database: { statements: number; overloaded: number; longestQueueMs: number };
  throttled: number;
}

export interface HerdOptions {
  users: number;
  seed?: number;
  /** The quota of SNS, which depends on the region. */
  pushesPerSecond?: number;
  /** As `DELIVERY_OBJECTS`. */
  objects?: number;
  connectionsOf?: DeliveryModel['connectionsOf'];
  trouble?: TroubleName | undefined;
}

/**
 * The database, as a local D1 is measured: a claim of 1, 64 and 256 cursors took 4, 4 and 10 ms, their record 4, 6 and
 * 16 ms. A batch costs a turn, and each statement and each row of its answer its time.
 */
const busyMs = { batch: 2.4, statement: 0.125, row: 0.02 };

/** Half of the alarms come up to three seconds late. */
const lateAlarms = [1, 2, 3].map((seconds) => ({ ms: seconds * 1000, share: 1 / (7 - seconds) }));

const from = Date.parse('2027-06-08T08:00:00Z');
const dueAt = Date.parse('2027-06-08T12:00:00Z');

/** Reminders of many users that are due in the same minute, with the database and the relay at their limits. */
export function simulateHerd(options: HerdOptions): Promise<HerdResults> {
  const { users, seed = 1, pushesPerSecond = 300, objects = 16, connectionsOf = 'user' } = options;
  const trouble: Trouble = options.trouble ? troubles[options.trouble] : {};
  const { heldBackFor = 0, resets = [], rollout } = trouble;
  const at = (seconds: number) => dueAt + seconds * 1000;
  const after = (seconds: number) => new Date(at(seconds)).toISOString();
  const scenario = readScenario({
    name: `${users} users due in the same minute`,
    seed,
    from: new Date(from).toISOString(),
    until: after(heldBackFor + (trouble.lasts ?? 3 * 3600)),
    study: { timeZone: 'UTC', startsOn: '2027-06-08' },
    surveys: [{ name: 'Diary', reminders: null }],
    members: [{ name: 'Ada', role: 'owner' }],
    events: [
      {
        at: new Date(from + 60_000).toISOString(),
        who: 'Ada',
        does: 'edits-reminders',
        survey: 'Diary',
        reminders: {
          type: 'rolling',
          recurrence: '0 12 * * *',
          expiresAfter: 1440,
          notification: { subject: 'Diary', body: 'How are you?' },
        },
      },
    ],
    latency: { relayMs: 60, databaseMs: 10 },
    faults: [
      ...(trouble.faults?.(after) ?? []),
      ...lateAlarms.map((late) => ({
        what: 'alarms',
        is: 'late',
        from: after(-60),
        until: after(3600),
        ...late,
      })),
    ],
    reconcile: false,
  });
  return simulate(scenario, (run) => measure(run, { users, comesAt: at(heldBackFor) }), {
    database: { busyMs },
    delivery: {
      objects,
      connectionsOf,
      resets: resets.map(at),
      rollout: rollout && { from: at(rollout.from), ms: rollout.seconds * 1000 },
    },
    relay: { perSecond: pushesPerSecond },
    populate: populate(users),
    crowded: true,
  });
}

/** Written straight into the tables: ten thousand sign-ups over HTTP are for another test. */
const populate =
  (users: number): NonNullable<Models['populate']> =>
  async ({ relay, records }, database) => {
    const rows = Array.from({ length: users }, () => {
      const id = crypto.randomUUID().replaceAll('-', '');
      return { id, token: `phone-${id}`, endpoint: relay.add('android', `phone-${id}`) };
    });
    const list = JSON.stringify(rows);
    await database.query(
      `insert into user (id, issuer, subject, name, created_at)
      select value ->> 'id', 'herd', value ->> 'id', 'Member', ? from json_each(?)`,
      from,
      list,
    );
    await database.query(
      `insert into member (investigation_id, user_id, role, created_at)
      select ?, value ->> 'id', 'responder', ? from json_each(?)`,
      records.study.id,
      from,
      list,
    );
    await database.query(
      `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
      select value ->> 'id', value ->> 'id', 'android', value ->> 'token', value ->> 'endpoint', 'UTC', ?1, ?1, ?1
      from json_each(?2)`,
      from,
      list,
    );
  };

async function measure(
  { database, relay, records }: Run,
  { users, comesAt }: { users: number; comesAt: number },
): Promise<HerdResults> {
  const ada = records.members.get('Ada')?.id;
  const rows = (await readRows(database)).filter((row) => row.user !== ada);
  const today = rows.filter((row) => row.dueAt === dueAt);
  const pushes = new Map<string, typeof relay.accepted>();
  for (const push of relay.accepted)
    pushes.set(push.collapseId, [...(pushes.get(push.collapseId) ?? []), push]);
  const twice = [...pushes.values()].filter((list) => list.length > 1);
  const excused = twice.filter((list) => list.slice(0, -1).every((push, n) => isExcused(push, list[n + 1])));
  const lost: Record<string, number> = {};
  for (const row of today.filter((one) => one.state !== 'sent' || !pushes.has(occurrenceId(one)))) {
    const why = `${row.state ?? 'pending'} ${row.reason ?? ''}`.trim();
    lost[why] = (lost[why] ?? 0) + 1;
  }
  if (today.length < users) lost['never planned'] = users - today.length;
  const late = [...pushes.values()].map((list) => (list[0]?.at ?? 0) - comesAt).sort((a, b) => a - b);
  const share = (part: number) => late[Math.min(late.length - 1, Math.floor(late.length * part))] ?? 0;
  return {
    users,
    sent: today.filter((row) => row.state === 'sent').length,
    twice: twice.length,
    excused: excused.length,
    lost,
    unplanned: users - rows.filter((row) => row.settledAt === null && row.on === '2027-06-09').length,
    lateMs: { p50: share(0.5), p95: share(0.95), p99: share(0.99), most: late.at(-1) ?? 0 },
    database: {
      statements: database.counts.statements,
      overloaded: database.counts.refused,
      longestQueueMs: Math.round(database.counts.longestQueueMs),
    },
    throttled: relay.refused,
  };
}
