import { env } from 'cloudflare:workers';
import * as rows from '../reminder-rows.ts';

/* The tables of reminders over D1: what `reminder-rows.ts` says, carried out. */

const prepare = ({ sql, values }: rows.Statement) =>
  values.length === 0 ? env.DB.prepare(sql) : env.DB.prepare(sql).bind(...values);

/** Carries these out, all or none. */
export async function carryOut(...statements: rows.Statement[]): Promise<void> {
  if (statements.length > 0) await env.DB.batch(statements.map(prepare));
}

const read = async (one: rows.Statement) => (await prepare(one).first<number>('n')) ?? 0;

export async function seedScheduled(all: Iterable<rows.Scheduled>): Promise<void> {
  for (const one of rows.insertScheduled(all)) await prepare(one).run();
}

export async function seedPast(all: Iterable<rows.Past>): Promise<void> {
  for (const one of rows.insertPast(all)) await prepare(one).run();
}

export const seedSilent = (survey: string, users: readonly string[]) =>
  carryOut(rows.insertSilent(survey, users));

/** Forgets what is scheduled and past; of everyone, also the work that waits. */
export const clearReminders = (which?: rows.Which) =>
  carryOut(...rows.deleteReminders(which), ...(which ? [] : [rows.deleteWork()]));

export const loseWork = () => carryOut(rows.deleteWork());

export const countScheduled = (which?: rows.Which) => read(rows.countScheduled(which));
export const countPast = (which?: rows.Which) => read(rows.countPast(which));
export const waitingWork = (study?: string) => read(rows.countWork(study));

export const remindersOf = async (which: rows.Which) =>
  (await prepare(rows.selectReminders(which)).all<rows.Reminder>()).results;

/** How many of these people's reminders have each state on each date: `{ '2027-03-01 sent': 64 }`. */
export async function statesOf(users: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { on, state } of await remindersOf({ users }))
    counts[`${on} ${state}`] = (counts[`${on} ${state}`] ?? 0) + 1;
  return counts;
}

/** When the service looks at a person next; NaN: never. */
export const nextLook = async (user: string) =>
  (await prepare(rows.selectNextPoll(user)).first<number>('n')) ?? Number.NaN;

export const planVersion = (user: string) => read(rows.selectPlanVersion(user));
