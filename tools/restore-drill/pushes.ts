import { DatabaseSync } from 'node:sqlite';
import { reconcile, sweep } from '../../src/operations/jobs.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { deliver } from '../../src/reminders/jobs.ts';
import type { PushMessage, Services } from '../../src/services.ts';
import { nextDue, usersDue } from '../database/due.ts';
import { sentTo } from './notifications.ts';
import type { Found } from './result.ts';

/** Pushes after which the copy has shown enough. */
const maxPushes = 20_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Period {
  /** As it was when the backup was made. */
  original: DatabaseSync;
  /** As it is now. */
  database: string;
  from: number;
  until: number;
}

/**
 * Lets time pass in the copy, which reaches nobody, and looks at what it would push: nothing that the original had sent, and
 * nothing that the copy does not record.
 */
export async function checkPushes(
  restored: string,
  { original, database, from, until }: Period,
): Promise<Found> {
  const pushed = await play(restored, from, until);
  const users = new Set(pushed.map(({ user }) => user));
  const byNotification = Map.groupBy(pushed, ({ message }) => message.collapseId);
  const copy = new DatabaseSync(restored, { readOnly: true });
  const now = new DatabaseSync(database, { readOnly: true });
  try {
    const sentBy = (db: DatabaseSync) => sentTo(db, users).filter(({ id }) => byNotification.has(id));
    const again = sentBy(original).flatMap(({ id, isOver }) => (isOver ? [id] : []));
    const meanwhile = sentBy(now).flatMap(({ id }) => (again.includes(id) ? [] : [id]));
    const followUps = new Map(sentBy(copy).map((one) => [one.id, one.followUps]));
    const twice = [...byNotification]
      .filter(([id, pushes]) => mostOfOne(pushes) > 1 + (followUps.get(id) ?? 0))
      .map(([id]) => id);
    const hours = Math.round((until - from) / hourMs);
    const end = pushed.length >= maxPushes ? ', where the look ended' : '';
    const text = `in ${hours} hours the copy pushes ${pushed.length} times for ${byNotification.size} reminders${end}: none was sent before, none is sent twice`;
    const sentNow =
      meanwhile.length > 0
        ? `; ${meanwhile.length} were sent by the server since the backup, under the same identifier`
        : '';
    return {
      text: text + sentNow,
      numbers: {
        hours,
        pushes: pushed.length,
        reminders: byNotification.size,
        again: again.length,
        twice: twice.length,
        meanwhile: meanwhile.length,
      },
      faults: [
        ...again
          .slice(0, 5)
          .map((id) => `the copy sends ${id} again, which the original had sent before the backup`),
        ...twice.slice(0, 5).map((id) => `the copy sends ${id} more often than it records`),
      ],
    };
  } finally {
    copy.close();
    now.close();
  }
}

interface Push {
  user: string;
  message: PushMessage;
}

/** The pushes of the copy from one moment to another: its clock jumps from one due reminder to the next. */
async function play(restored: string, from: number, until: number): Promise<Push[]> {
  const { db, client, close } = await openSqlite(restored);
  const pushed: Push[] = [];
  let clock = from;
  let user = '';
  const deferred: Promise<void>[] = [];
  const unavailable = { state: 'unavailable', error: 'a drill' } as const;
  const services: Services = {
    db,
    push: {
      platforms: [],
      fits: () => true,
      register: async () => unavailable,
      remove: async () => unavailable,
      check: async () => unavailable,
      receive: async () => ({ state: 'off' }),
      async send(message) {
        pushed.push({ user, message });
        return { state: 'sent', messageId: `drill-${pushed.length}` };
      },
    },
    alarms: { arm: async () => {}, deliver: (of) => deliverTo(of) },
    defer: (work) => void deferred.push(work()),
    now: () => clock,
    pushesPerDay: Infinity,
    records: { refused: false },
    log: () => {},
  };
  async function deliverTo(of: string) {
    user = of;
    await deliver(services, of);
  }
  try {
    await client.execute('pragma synchronous = off');
    await sweep(services);
    let reconciledAt = clock;
    for (
      let due = await nextDue(client);
      Math.max(due, clock) < until && pushed.length < maxPushes;
      due = await nextDue(client)
    ) {
      clock = Math.max(clock, due);
      for (const one of await usersDue(client, clock, 500)) await deliverTo(one);
      while (deferred.length > 0) await deferred.shift();
      if ((await nextDue(client)) > clock) continue;
      // Nobody's delivery reads it, so the sweep does, and the hourly reconcile repairs plans.
      clock += 2 * minuteMs;
      await sweep(services);
      if (clock - reconciledAt > hourMs) {
        reconciledAt = clock;
        await reconcile(services);
      }
    }
    return pushed;
  } finally {
    close();
  }
}

const mostOfOne = (pushes: readonly Push[]) =>
  Math.max(
    ...[...Map.groupBy(pushes, ({ message }) => message.endpoint).values()].map((some) => some.length),
  );
