import { createScheduledController, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import worker from '../../../src/worker.ts';
import { eventually } from '../eventually.ts';
import type { Person } from '../people.ts';
import type { Study } from '../studies.ts';
import { minutes } from './clock.ts';
import { waitingWork } from './reminder-tables.ts';

/** Each day at 21:30. */
export const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};

/** @param again people with a push of today get another one, if the new reminders come today */
export async function remind(study: Study, reminders: object | null, again = false) {
  const answer = await study.owner.patch(`/survey/${study.survey}`, { reminders, ...(again && { again }) });
  expect(answer.status, answer.text).toBe(200);
  await jobsDone();
}

/** Planning for a whole study goes on after the answer: waits until the user has as many pending rows. */
export const pendingOf = (user: Person, count = 1) =>
  eventually(`${count} pending for ${user.name}`, async () => {
    const rows = await scheduled(user);
    return rows.length === count && rows;
  });

/** Work for many people, or of a request that has died, that nobody has carried out. */
export const waitingJobs = () => waitingWork();

/** Waits until the work of a request for a whole study, which continues after the answer, has been handed over. */
export const jobsDone = () => eventually('no work that waits', async () => (await waitingJobs()) === 0);

/** Waits until the one pending row is due at `dueAt`. */
export const dueAt = (user: Person, instant: string) =>
  eventually(`${user.name} is due at ${instant}`, async () => {
    const rows = await scheduled(user);
    return rows.length === 1 && rows[0].dueAt === instant && rows[0];
  });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export async function history(of: Person): Promise<any[]> {
  return (await of.get('/user/me/notifications')).body.notifications;
}

/** The pending notifications of a user. */
export const scheduled = async (of: Person) => (await history(of)).filter((row) => row.state === 'scheduled');

export const alarmOf = (user: Person) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user.id));

/** Lets the user's alarm go off now, as the platform would, once it is set: it follows the row that it is for. */
export async function ring(user: Person): Promise<void> {
  await eventually(`the alarm of ${user.name}`, async () => (await alarmTime(user)) !== null);
  await runDurableObjectAlarm(alarmOf(user));
}

export const alarmTime = (user: Person) =>
  runInDurableObject(alarmOf(user), (_, state) => state.storage.getAlarm());

/** Waits until the user's alarm is set for an instant, or seconds later. */
export const armedFor = (user: Person, instant: string) =>
  eventually(`the alarm of ${user.name} for ${instant}`, async () => {
    const lateMs = ((await alarmTime(user)) ?? 0) - Date.parse(instant);
    return lateMs >= 0 && lateMs < minutes;
  });

export async function dropAlarm(user: Person): Promise<void> {
  await eventually(`the alarm of ${user.name}`, async () => (await alarmTime(user)) !== null);
  await runInDurableObject(alarmOf(user), (_, state) => state.storage.deleteAlarm());
}

/** One tick of the Cron Trigger at the clock's present time. */
export const tick = () =>
  worker.scheduled(createScheduledController({ scheduledTime: new Date(), cron: '* * * * *' }), env);
