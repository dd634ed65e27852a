import { backoffMs } from '../retry.ts';
import type { Services } from '../services.ts';
import type { Phone } from './claim.ts';
import { type DuePush, followUpOf } from './decide.ts';
import { type Message, pushToPhones } from './push-to-phones.ts';
import { type PushResult, triedBefore } from './pushed.ts';
import type { UserReminders } from './state.ts';

const pushBackoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/**
 * The delay of a push that the relay did not accept, by the number of attempts. Each delay is used twice: doubled each
 * time, it would leave a quota unused towards the end of a herd, when half of the rest waits as long as all before.
 */
const pushDelayMs = (attempts: number): number => backoffMs(Math.ceil(attempts / 2), pushBackoff);

/** The delay of a sent push's retry, whose attempts are not counted: by the time since the first attempt. */
const attemptsIn = (elapsedMs: number): number =>
  1 + 2 * Math.floor(Math.log2(1 + Math.max(0, elapsedMs) / (2 * pushBackoff.baseMs)));

/** The services of a push. */
interface Due {
  state: UserReminders;
  push: DuePush;
  phones: Phone[];
  now: number;
}

/** Pushes to the phones that do not have the push yet, and returns the result. `gone`: phones to disable. */
export async function pushDue(
  services: Services,
  { state, push, phones, now }: Due,
): Promise<{ result: PushResult; gone: string[] }> {
  const before = triedBefore(push);
  const message = messageOf(state, push, now);
  const pushed = await pushToPhones(services, phones, before.deliveries, message);
  const { deliveries, outcome, gone } = pushed;
  const attempts = before.attempts + 1;
  const followUp = followUpOf(push);
  services.log({
    ...(followUp ? { event: 'follow-up', kind: followUp.kind } : { event: 'delivery' }),
    notification: message.collapseId,
    survey: state.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    services: pushed.services.join(' '),
    lateMs: now - dueAtOf(push),
  });
  const { settledAt } = push.notification;
  const tries = settledAt === null || followUp ? attempts : attemptsIn(now - settledAt);
  // A push service may ask for a longer delay, which no other push service's retry has to wait for.
  const askedMs = Math.min(pushed.retryAfterMs, pushBackoff.maxMs);
  const again = Math.min(now + Math.max(pushDelayMs(tries), askedMs), push.expiresAt);
  return { result: { deliveries, outcome, at: services.now(), again }, gone };
}

/** A push that waited for quiet hours to end is not late. */
function dueAtOf(push: DuePush): number {
  const { attempts, dueAt, nextAttemptAt } = push.notification;
  return followUpOf(push)?.dueAt ?? (push.again || attempts > 0 ? dueAt : nextAttemptAt);
}

/** The message of an occurrence, for the first push and for nudges: they show as one on the phone. */
function messageOf(
  { survey, investigation, texts }: UserReminders,
  { notification: { id: notification }, expiresAt }: DuePush,
  now: number,
): Message {
  return {
    texts,
    data: { survey, investigation, notification },
    collapseId: notification,
    ttlSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  };
}
