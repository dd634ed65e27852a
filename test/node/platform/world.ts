import { devices, investigations, members, surveys, users } from '../../../src/db/schema.ts';
import { replanChunk } from '../../../src/jobs/replan.ts';
import { Timers } from '../../../src/platform/server/alarm-scheduler.ts';
import { openLibsql } from '../../../src/platform/server/libsql.ts';
import { migrate } from '../../../src/platform/server/migrations.ts';
import type { LogEntry, PushMessage, Services } from '../../../src/services.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const survey = 's'.repeat(32);
const study = 'e'.repeat(32);
export const userId = (n: number) => n.toString(16).padStart(32, '0');

export interface LocalWorld {
  services: Services;
  timers: Timers;
  sent: PushMessage[];
  log: LogEntry[];
  /** Most pushes under way at once. */
  maxConcurrent: () => number;
  /** What a push does before it is accepted. */
  onSend: (work: () => Promise<void>) => void;
  /** Timers over the same database, as after a restart. */
  restarted: () => Timers;
}

/** A study in memory whose members have a reminder due in `dueInMs`, by a clock that runs on from there. */
export async function localWorld({ people = 1, dueInMs = 150 } = {}): Promise<LocalWorld> {
  const { db, client } = await openLibsql(':memory:');
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
    alarms: { arm: (user, at) => timers.arm(user, at), deliver: (user) => timers.deliver(user) },
    fanOut: { start: unused, enqueue: unused },
    now: () => Date.now() + offset,
    log: (entry) => log.push(entry),
  };
  let timers = new Timers(() => services);
  await seed(services, people, due);
  return {
    services,
    timers,
    sent,
    log,
    maxConcurrent: () => most,
    onSend(work) {
      before = work;
    },
    restarted() {
      timers = new Timers(() => services);
      return timers;
    },
  };
}

async function seed(services: Services, people: number, due: number) {
  const at = due - dayMs;
  const startsOn = new Date(at).toISOString().slice(0, 10);
  const ids = Array.from({ length: people }, (_, n) => userId(n + 1));
  const { db } = services;
  await db
    .insert(investigations)
    .values({ id: study, name: 'Sleep', timeZone: 'UTC', startsOn, createdAt: at, activeSince: at + 1 });
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
  });
  for (const id of ids)
    await db.batch([
      db.insert(users).values({ id, name: 'Chidi', createdAt: at }),
      db.insert(members).values({ investigationId: study, userId: id, role: 'responder', createdAt: at }),
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
