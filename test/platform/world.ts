import { users } from '../../src/people/schema.ts';
import { devices } from '../../src/phones/schema.ts';
import { DeliveryLoop } from '../../src/platform/server/delivery-loop.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import type { SqliteClient } from '../../src/platform/server/sqlite-client.ts';
import { planAll } from '../../src/reminders/jobs.ts';
import { wakeUsers } from '../../src/reminders/wake.ts';
import type { LogEntry, PushMessage, Services } from '../../src/services.ts';
import { allMembers, investigations } from '../../src/studies/schema.ts';
import { surveys } from '../../src/studies/survey-schema.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const surveyId = (n: number) => `s${n}`.padEnd(32, 's');
const study = 'e'.repeat(32);
export const userId = (n: number) => n.toString(16).padStart(32, '0');

export interface LocalWorld {
  services: Services;
  client: SqliteClient;
  loop: DeliveryLoop;
  surveys: string[];
  sent: PushMessage[];
  log: LogEntry[];
  /** Most pushes under way at once. */
  maxConcurrent: () => number;
  /** Work of a push before it is accepted. */
  onSend: (work: (message: PushMessage) => Promise<void>) => void;
  /** Moves the clock on. */
  pass: (ms: number) => void;
  /** A loop over the same database, as after a restart. */
  restarted: () => DeliveryLoop;
}

/** A study in memory whose members have a reminder due in `dueInMs`, by a clock that runs on from there. */
export async function localWorld({
  people = 1,
  dueInMs = 150,
  surveys: count = 1,
} = {}): Promise<LocalWorld> {
  const { db, client } = await openSqlite(':memory:');
  await migrate(client);
  const due = Math.floor(Date.now() / dayMs) * dayMs + 12 * 60 * minuteMs;
  let offset = due - dueInMs - Date.now();
  const sent: PushMessage[] = [];
  const log: LogEntry[] = [];
  let underWay = 0;
  let most = 0;
  let before = async (_message: PushMessage) => {};
  const unused = async () => {
    throw new Error('not part of this test');
  };
  const services: Services = {
    db,
    push: {
      platforms: ['android'],
      fits: () => true,
      register: unused,
      remove: unused,
      check: unused,
      receive: unused,
      async send(message) {
        most = Math.max(most, ++underWay);
        await before(message).finally(() => {
          underWay -= 1;
        });
        sent.push(message);
        return { state: 'sent', messageId: `m${sent.length}` };
      },
    },
    alarms: { arm: (user, at) => loop.arm(user, at), deliver: () => loop.deliver() },
    defer: unused,
    pushesPerDay: Infinity,
    now: () => Date.now() + offset,
    log: (entry) => log.push(entry),
    records: { refused: false },
  };
  let loop = new DeliveryLoop(() => services);
  const ofStudy = Array.from({ length: count }, (_, n) => surveyId(n));
  await seed(services, { people, due, ofStudy });
  return {
    services,
    client,
    loop,
    surveys: ofStudy,
    sent,
    log,
    maxConcurrent: () => most,
    onSend(work) {
      before = work;
    },
    pass(ms) {
      offset += ms;
    },
    restarted() {
      services.records.refused = false;
      loop = new DeliveryLoop(() => services);
      return loop;
    },
  };
}

async function seed(
  services: Services,
  { people, due, ofStudy }: { people: number; due: number; ofStudy: readonly string[] },
) {
  const at = due - dayMs;
  const startsOn = new Date(at).toISOString().slice(0, 10);
  const ids = Array.from({ length: people }, (_, n) => userId(n + 1));
  const { db } = services;
  const created = { revisionId: '', createdHash: '' };
  await db.insert(investigations).values({
    id: study,
    name: 'Sleep',
    timeZone: 'UTC',
    startsOn,
    createdAt: at,
    activeSince: at + 1,
    ...created,
    creatorId: '',
  });
  for (const id of ofStudy)
    await db.insert(surveys).values({
      id,
      investigationId: study,
      name: 'Diary',
      items: [],
      reminders: {
        type: 'rolling',
        recurrence: '0 12 * * *',
        ends: null,
        delay: null,
        unlessAnswered: false,
        expiresAfter: 360,
        notification: { subject: 'S', body: 'B' },
      },
      remindersSince: at + 1,
      createdAt: at,
      ...created,
    });
  for (const id of ids)
    await db.batch([
      db.insert(users).values({ id, name: 'Chidi', createdAt: at }),
      db.insert(allMembers).values({ investigationId: study, userId: id, role: 'responder', createdAt: at }),
      db.insert(devices).values({
        id: `d${id.slice(1)}`,
        userId: id,
        platform: 'android',
        token: id,
        endpoint: `arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/app/${id}`,
        timeZone: 'UTC',
        createdAt: at,
        updatedAt: at,
        seenAt: at,
      }),
    ]);
  await plan(services, ids);
}

/** Plans the reminders of these people. */
export async function plan(services: Services, people: readonly string[]): Promise<void> {
  for (let n = 0; n < people.length; n += 100) {
    const some = people.slice(n, n + 100);
    await services.db.batch([...wakeUsers({ db: services.db, now: services.now() }, some)]);
    await planAll(services, some);
  }
}
