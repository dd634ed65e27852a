import type { FollowUpEntry, Notification } from '../model/reminders/columns.ts';
import { deliveriesOf, packDeliveries } from '../model/reminders/deliveries.ts';
import type { Phone } from '../model/reminders/due.ts';
import { firstOf, toSent, triesOf } from '../model/reminders/follow-ups.ts';
import { hasReachedPhone } from '../model/reminders/plan.ts';
import type { Changes, FollowedUp } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import type { FollowUp } from '../schedule/decide.ts';
import { decideFollowUps, type FollowUpDecision } from '../schedule/follow-ups.ts';
import type { Services } from '../services.ts';
import { messageOf, pushDelayMs, pushToPhones } from './push-to-phones.ts';

/** What becomes of an occurrence that was sent and is followed up. */
export interface DecidedFollowUp {
  decision: FollowUpDecision;
  notification: Notification;
}

/** Decides it, if it is due or a newer occurrence is, whose key this is. */
export function followUp(
  state: UserReminders,
  now: number,
  newer: string | undefined,
): DecidedFollowUp | null {
  const { followed: notification } = state;
  if (!notification || ((notification.nextFollowUpAt ?? 0) > now && newer === undefined)) return null;
  const { settledThrough } = state;
  const current = { ...state, settledThrough: newer ?? settledThrough };
  return { notification, decision: decideFollowUps(toSent(notification), current, now) };
}

type Recorded = FollowedUp & { followUps: FollowUpEntry[] };

/** The change without what a push adds. */
export function leftOut({ notification, decision }: DecidedFollowUp, now: number): Recorded {
  const { skipped, next, firstAt } = decision;
  const snoozed = skipped.some(({ kind }) => kind === 'snooze');
  const first = firstOf(notification);
  const entries = entriesAfter(notification, decision, iso(now));
  return first && firstAt !== undefined
    ? changeOf(notification, [...entries, withNext(first, next)], earlier(firstAt, next), snoozed)
    : changeOf(notification, entries, next, snoozed);
}

/** With when the nudge is due that takes its place (epoch ms). */
export const withNext = ({ nextAt: _, ...first }: FollowUpEntry, next: number | null): FollowUpEntry =>
  next === null ? first : { ...first, nextAt: iso(next) };

/** The earlier of two instants, if there are two. */
export const earlier = (at: number, next: number | null) => Math.min(at, next ?? at);

/**
 * The nudges and snoozes so far and what is left out. One that was to be tried again is over when something else is
 * decided.
 */
function entriesAfter(
  notification: Notification,
  { skipped, send }: FollowUpDecision,
  at: string,
): FollowUpEntry[] {
  const entries = skipped.map(
    ({ kind, dueAt, reason }): FollowUpEntry => ({ kind, dueAt: iso(dueAt), at, state: 'skipped', reason }),
  );
  const before = triesOf(notification);
  if (entries.length === 0 && !send) return before;
  const retried = before.find((one) => one.state === 'retrying' && !(send && isSame(one, send)));
  const reason = entries.find((one) => retried && isSameEntry(one, retried))?.reason ?? 'superseded';
  return [
    ...before.map((one) => (one === retried ? givenUp(one, reason, at) : one)),
    ...entries.filter((one) => !retried || !isSameEntry(one, retried)),
  ];
}

/** It was to be tried again for some phones. That others have it stays in the history. */
function givenUp(entry: FollowUpEntry, reason: string, at: string): FollowUpEntry {
  const failed = reason === 'expired' ? 'failed' : 'skipped';
  const state = hasReachedPhone({ deliveries: entry.deliveries ?? [] }) ? 'sent' : failed;
  return { ...entry, at, state, reason };
}

/** Pushes the follow-up to the phones that do not have it yet. */
export async function sendFollowUp(
  services: Services,
  { state, phones, now }: { state: UserReminders; phones: Phone[]; now: number },
  { notification, decision }: DecidedFollowUp & { decision: { send: FollowUp } },
): Promise<Pick<Changes, 'followedUp' | 'disable'>> {
  const { send, next, expiresAt } = decision;
  const isFirst = send.kind === 'first';
  const before = (notification.followUps ?? []).find((one) => isSame(one, send) && one.state === 'retrying');
  const reached = isFirst ? deliveriesOf(notification) : (before?.deliveries ?? []);
  const message = messageOf(state, notification, { now, expiresAt });
  const { deliveries, outcome, gone } = await pushToPhones(services, phones, reached, message);
  const attempts = (before?.attempts ?? 0) + 1;
  services.log({
    ...(isFirst ? { event: 'delivery' } : { event: 'follow-up', kind: send.kind }),
    notification: message.collapseId,
    survey: state.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    lateMs: now - send.dueAt,
  });
  const retrying = outcome === 'retry';
  const entry: FollowUpEntry = {
    kind: send.kind,
    dueAt: iso(send.dueAt),
    at: iso(services.now()),
    state: retrying ? 'retrying' : outcome,
    attempts,
    ...(!isFirst && { deliveries }),
    ...(outcome === 'failed' && { reason: 'relay' }),
  };
  const others = leftOut({ notification, decision }, now).followUps.filter((one) => !isSame(one, send));
  const entries = isFirst ? (retrying ? [withNext(entry, next)] : []) : [entry];
  const again = Math.min(now + pushDelayMs(attempts), expiresAt);
  const change = changeOf(
    notification,
    [...others, ...entries],
    retrying ? earlier(again, next) : next,
    send.kind === 'snooze' && !retrying,
  );
  const pushes = packDeliveries(deliveries, notification.dueAt);
  return {
    followedUp: [isFirst ? { ...change, pushes } : change],
    disable: gone.map((device) => ({ device, readAt: now })),
  };
}

const isSameEntry = (a: FollowUpEntry, b: FollowUpEntry) => a.kind === b.kind && a.dueAt === b.dueAt;
const isSame = (entry: FollowUpEntry, { kind, dueAt }: FollowUp) =>
  entry.kind === kind && entry.dueAt === iso(dueAt);

const changeOf = (
  { userId, surveyId, revision, key, snoozedUntil }: Notification,
  followUps: FollowUpEntry[],
  next: number | null,
  snoozeIsOver: boolean,
): Recorded => ({
  userId,
  surveyId,
  revision,
  key,
  followUps,
  next,
  readSnooze: snoozedUntil,
  snoozedUntil: snoozeIsOver || next === null ? null : snoozedUntil,
});

export const iso = (ms: number) => new Date(ms).toISOString();
