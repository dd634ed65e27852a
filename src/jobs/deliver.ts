import { occurrenceIdentifier } from '../identifiers.ts';
import { hasReached, over, planChanges, planned, replanUsers } from '../model/reminders/plan.ts';
import {
  type Changes,
  joinChanges,
  noChanges,
  type Planned,
  type Settled,
  settleStrays,
} from '../model/reminders/record.ts';
import type { PendingRow, UserAgenda } from '../model/reminders/state.ts';
import { review, type Settlement } from '../schedule/decide.ts';
import type { Services } from '../services.ts';
import { booksOf } from './books.ts';
import { insist } from './insist.ts';
import { type Phone, pushToPhones } from './push-to-phones.ts';
import { retryAt } from './retry.ts';

/**
 * Sends what is due for the user, records it, and plans what comes next: one read and one write. Call it
 * from one place at a time for each user. Returns when to look again (epoch ms), or null.
 */
export async function deliverDue(
  services: Services,
  user: string,
  books = booksOf(services),
): Promise<number | null> {
  const now = services.now();
  const { agendas, phones } = await books.read(user);
  const results = await Promise.all(agendas.map((agenda) => deliverAgenda(services, agenda, phones, now)));
  const changes = joinChanges(results);
  const write = () => books.write(changes);
  const { refused } = await (results.some((result) => result.pushed) ? insist(write) : write());

  // Something changed between the read and the write, so a plan was refused: plan from what holds now.
  const wakes = refused.length === 0 ? [] : await planAnew(services, user);
  const kept = agendas.flatMap(({ pending }) => (pending && pending.lookAt > now ? [pending.lookAt] : []));
  const planned = [...changes.plan, ...changes.tried].map((row) => row.lookAt);
  const times = [...kept, ...planned, ...wakes.map((wake) => wake.at)];
  return times.length > 0 ? Math.min(...times) : null;
}

async function planAnew({ db, now }: Services, user: string) {
  await settleStrays(db, user, now());
  return replanUsers(db, [user], now());
}

/** `pushed`: the relay was asked, which cannot be undone. */
type Result = Changes & { pushed: boolean };

const nothing: Result = { ...noChanges(), pushed: false };

async function deliverAgenda(
  services: Services,
  agenda: UserAgenda,
  phones: Phone[],
  now: number,
): Promise<Result> {
  const { pending } = agenda;
  if (!pending || pending.lookAt > now || pending.revision !== agenda.revision)
    return { ...nothing, ...planChanges(agenda) };
  if (agenda.unreadable) {
    services.log({ event: 'delivery.reminders-unreadable', level: 'error', survey: agenda.survey });
    return { ...nothing, settle: [over(agenda, pending, 'failed', 'reminders-unreadable')] };
  }

  const { settle, next, wait } = review(pending, agenda, now);
  if (wait) return { ...nothing, plan: [planned(agenda, wait, pending)] };
  const skipped = settle.filter((one) => one.verdict === 'skip').map((one) => skip(agenda, pending, one));
  const sending = settle.find((one) => one.verdict === 'send');
  const sent = sending ? await send(services, agenda, sending, phones, now) : null;
  return {
    ...nothing,
    settle: [...skipped, ...(sent?.settled ?? [])],
    tried: sent?.retry ?? [],
    plan: next && !sent?.retry ? [planned(agenda, next)] : [],
    disable: sent?.gone.map((device) => ({ device, readAt: now })) ?? [],
    pushed: sent !== null,
  };
}

function skip(agenda: UserAgenda, pending: PendingRow, one: Settlement): Settled {
  const own = one.on === pending.on ? pending : null;
  // One phone has it, and it is over for another that was still being tried.
  if (own && hasReached(own)) return { ...settled(agenda, one, own), state: 'sent', reason: null };
  const tried = own !== null && own.attempts > 0 && one.reason === 'expired';
  return { ...settled(agenda, one, own), state: tried ? 'failed' : 'skipped', reason: one.reason ?? null };
}

const settled = (
  agenda: UserAgenda,
  one: Settlement,
  pending: PendingRow | null,
): Omit<Settled, 'state' | 'reason'> => ({
  user: agenda.user,
  survey: agenda.survey,
  revision: agenda.revision,
  on: one.on,
  counter: one.counter,
  dueAt: one.dueAt,
  timeZone: agenda.timeZone,
  attempts: pending?.attempts ?? 0,
  deliveries: pending?.deliveries ?? [],
});

/** Publishes one occurrence to the phones that have not got it yet, and says what to record. */
async function send(
  services: Services,
  agenda: UserAgenda,
  one: Settlement,
  phones: Phone[],
  now: number,
): Promise<{ settled: Settled[]; retry: Planned[] | null; gone: string[] }> {
  const pending = agenda.pending?.on === one.on ? agenda.pending : null;
  const expiresAt = one.expiresAt ?? now;
  const identifier = occurrenceIdentifier(agenda.user, agenda.survey, agenda.revision, one.on);
  const { deliveries, outcome, gone } = await pushToPhones(services, phones, pending?.deliveries ?? [], {
    title: agenda.notification.subject,
    body: agenda.notification.body,
    data: { survey: agenda.survey, investigation: agenda.investigation, notification: identifier },
    collapseId: identifier,
    ttlSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  });
  const attempts = (pending?.attempts ?? 0) + 1;
  services.log({
    event: 'delivery',
    notification: identifier,
    survey: agenda.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    lateMs: now - one.dueAt,
  });
  if (outcome === 'retry') {
    const occurrence = { on: one.on, counter: one.counter, dueAt: one.dueAt, local: '' };
    const retry = {
      ...planned(agenda, occurrence),
      attempts,
      deliveries,
      lookAt: retryAt(now, attempts, expiresAt),
    };
    return { settled: [], retry: [retry], gone };
  }
  const state = { state: outcome, reason: outcome === 'failed' ? 'relay' : null };
  return {
    settled: [{ ...settled(agenda, one, pending), ...state, attempts, deliveries }],
    retry: null,
    gone,
  };
}
