import { backoffMs } from '../retry.ts';
import { textFor } from '../schedule/languages.ts';
import type { Services } from '../services.ts';
import type { Phone } from './claim.ts';
import { type DuePush, followUpOf } from './decide.ts';
import { hasReachedPhone } from './notification.ts';
import { type PushResult, triedBefore } from './pushed.ts';
import type { Delivery } from './schema.ts';
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

/** A push that is due at the instant `now` (epoch ms). */
interface Due {
  state: UserReminders;
  push: DuePush;
  phones: Phone[];
  now: number;
}

/**
 * Pushes to the phones that do not have the push yet, in parallel, and returns the result; never rejects. Nudges have the
 * collapse id of their occurrence, so that a phone shows one notification. `gone`: phones to disable.
 */
export async function pushDue(
  services: Services,
  { state, push, phones, now }: Due,
): Promise<{ result: PushResult; gone: string[] }> {
  const { id: notification, settledAt } = push.notification;
  const before = triedBefore(push);
  const tried = await sendToPhones(services, { state, push, phones, now }, before.deliveries);
  const outcomesOf = (state: string) => tried.filter(({ outcome }) => outcome.state === state);
  const deliveries = [
    ...before.deliveries.filter(({ device }) => !tried.some(({ phone }) => phone.id === device)),
    ...tried.map(({ delivery }) => delivery),
  ];
  const delays = [
    ...tried.flatMap(({ outcome }) => (outcome.state === 'retry' ? (outcome.retryAfterMs ?? 0) : [])),
    ...outcomesOf('misconfigured').map(() => 0),
  ];
  const reached = hasReachedPhone({ deliveries }) ? 'sent' : 'failed';
  const outcome = delays.length > 0 ? 'retry' : reached;
  const attempts = before.attempts + 1;
  const followUp = followUpOf(push);
  services.log({
    ...(followUp ? { event: 'follow-up', kind: followUp.kind } : { event: 'delivery' }),
    notification,
    survey: state.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    services: [...new Set(outcomesOf('sent').map(({ service }) => service))].join(' '),
    lateMs: now - dueAtOf(push),
  });
  const tries = settledAt === null || followUp ? attempts : attemptsIn(now - settledAt);
  // A push service may ask for a longer delay, which no other push service's retry has to wait for.
  const askedMs = delays.length > 0 ? Math.min(...delays, pushBackoff.maxMs) : 0;
  const again = Math.min(now + Math.max(pushDelayMs(tries), askedMs), push.expiresAt);
  const gone = outcomesOf('gone').map(({ phone }) => phone.id);
  return { result: { deliveries, outcome, at: services.now(), again }, gone };
}

/** The outcomes of the phones that earlier deliveries have not reached, each in the phone's language. */
function sendToPhones(
  { push: service, now: clock, log }: Services,
  { state, push, phones, now }: Due,
  earlier: readonly Delivery[],
) {
  const { survey, investigation, texts } = state;
  const { id: notification } = push.notification;
  const message = {
    data: { survey, investigation, notification },
    collapseId: notification,
    ttlSeconds: Math.max(1, Math.floor((push.expiresAt - now) / 1000)),
  };
  const hasIt = ({ id }: Phone) => earlier.some(({ device, messageId }) => device === id && messageId);
  return Promise.all(
    phones
      .filter((phone) => !hasIt(phone))
      .map(async (phone) => {
        const { id: device, platform, endpoint } = phone;
        const { text, language } = textFor(texts, phone.language);
        const outcome = await service.send({ ...message, title: text.subject, body: text.body, endpoint });
        const name = service.serviceOf?.(endpoint) ?? platform;
        if (outcome.state === 'misconfigured')
          log({ event: 'relay.misconfigured', level: 'error', service: name, error: outcome.error });
        const delivery: Delivery = {
          device,
          platform,
          at: new Date(clock()).toISOString(),
          ...(outcome.state === 'sent' ? { messageId: outcome.messageId } : { error: outcome.error }),
          ...(language !== undefined && { language }),
        };
        return { phone, outcome, delivery, service: name };
      }),
  );
}

/** A push that waited for quiet hours to end is not late. */
function dueAtOf(push: DuePush): number {
  const { attempts, dueAt, nextAttemptAt } = push.notification;
  return followUpOf(push)?.dueAt ?? (push.again || attempts > 0 ? dueAt : nextAttemptAt);
}
