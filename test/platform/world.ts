import { groupCommit } from '../../src/db/group-commit.ts';
import { users } from '../../src/people/schema.ts';
import { devices } from '../../src/phones/schema.ts';
import { AlarmScheduler } from '../../src/platform/server/alarm-scheduler.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import type { SqliteClient } from '../../src/platform/server/sqlite-client.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import { keepInMemory } from '../../src/reminders/unrecorded.ts';
import { newWrites } from '../../src/reminders/writes.ts';
import type { LogEntry, PushMessage, Services } from '../../src/services.ts';
import { allMembers, investigations } from '../../src/studies/schema.ts';
import { surveys } from '../../src/studies/survey-schema.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const survey = 's'.repeat(32);
const study = 'e'.repeat(32);
export const userId = (n: number) => n.toString(16).padStart(32, '0');

export interface LocalWorld {
  services: Services;
  client: SqliteClient;
  alarms: AlarmScheduler;
  sent: PushMessage[];
  log: LogEntry[];
  /** Most pushes under way at once. */
  maxConcurrent: () => number;
  /** Work of a push before it is accepted. */
  onSend: (work: () => Promise<void>) => void;
  /** A scheduler over the same database, as after a restart. */
  restarted: () => AlarmScheduler;
}

/** A study in memory whose members have a reminder due in `dueInMs`, by a clock that runs on from there. */
export async function localWorld({ people = 1, dueInMs = 150 } = {}): Promise<LocalWorld> {
  const { db, client } = await openSqlite(':memory:');
  await migrate(client);
  const due = Math.floor(Date.now() / dayMs) * dayMs + 12 * 60 * minuteMs;
  const offset = due - dueInMs - Date.now();
  const sent: PushMessage[] = [];
  const log: LogEntry[] = [];
  let underWay = 0;
  let most = 0;
  let before = async () => {};
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
        await before().finally(() => {
          underWay -= 1;
        });
        sent.push(message);
        return { state: 'sent', messageId: `m${sent.length}` };
      },
    },
    alarms: { arm: (user, at) => alarms.arm(user, at), deliver: (user) => alarms.deliver(user) },
    queue: { send: unused },
    defer: unused,
    pushesPerDay: Infinity,
    now: () => Date.now() + offset,
    log: (entry) => log.push(entry),
    ...memory(),
  };
  const deliveries = groupCommit(db);
  let alarms = new AlarmScheduler(() => ({ ...services, db: deliveries }));
  await seed(services, people, due);
  return {
    services,
    client,
    alarms,
    sent,
    log,
    maxConcurrent: () => most,
    onSend(work) {
      before = work;
    },
    restarted() {
      Object.assign(services, memory());
      alarms = new AlarmScheduler(() => ({ ...services, db: deliveries }));
      return alarms;
    },
  };
}

/** The parts of the services that end with their process. */
const memory = () => ({ writes: newWrites(), unrecorded: keepInMemory() });

async function seed(services: Services, people: number, due: number) {
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
  await db.insert(surveys).values({
    id: survey,
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
  for (let n = 0; n < ids.length; n += 100) await replanChunk(services, { users: ids.slice(n, n + 100) });
}
