import { occurrenceIdentifier } from '../identifiers.ts';
import type { Delivery, Notification } from '../model/reminders/columns.ts';
import type { Phone } from '../model/reminders/due.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import { backoffMs } from '../retry.ts';
import { type ReminderTexts, textFor } from '../schedule/languages.ts';
import type { Outcome, PushMessage, Services } from '../services.ts';

const pushBackoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/**
 * How long a push that the relay did not take waits after so many attempts. Each delay is used twice: doubled each time,
 * it would leave a quota unused towards the end of a herd, when half of those that are left wait for as long as all before.
 */
export const pushDelayMs = (attempts: number): number => backoffMs(Math.ceil(attempts / 2), pushBackoff);

/** What all phones get, each in its language. */
type Message = Omit<PushMessage, 'endpoint' | 'title' | 'body'> & { texts: ReminderTexts };

type Occurrence = Pick<Notification, 'revision' | 'key'>;

/** The push of an occurrence, the first as well as a nudge: they show as one on the phone. `expiresAt`: epoch ms. */
export function messageOf(
  { user, survey, investigation, texts }: UserReminders,
  { revision, key }: Occurrence,
  { now, expiresAt }: { now: number; expiresAt: number },
): Message {
  const notification = occurrenceIdentifier(user, survey, revision, key);
  return {
    texts,
    data: { survey, investigation, notification },
    collapseId: notification,
    ttlSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  };
}

/**
 * Pushes to all phones at once that have not got the message yet. `sent`: at least one has it and none is
 * to be tried again. `retry`: one is. `failed`: none has it and none will. `gone`: phones to disable.
 */
export async function pushToPhones(
  { push, now, log }: Pick<Services, 'push' | 'now' | 'log'>,
  phones: Phone[],
  earlier: Delivery[],
  { texts, ...message }: Message,
): Promise<{ deliveries: Delivery[]; outcome: 'sent' | 'retry' | 'failed'; gone: string[] }> {
  const reached = new Set(
    earlier.filter((delivery) => delivery.messageId).map((delivery) => delivery.device),
  );
  const tried = await Promise.all(
    phones
      .filter((phone) => !reached.has(phone.id))
      .map(async (phone) => {
        const { text, language } = textFor(texts, phone.language);
        const { subject: title, body } = text;
        const outcome = await push.send({ ...message, title, body, endpoint: phone.endpoint });
        if (outcome.state === 'misconfigured')
          log({ event: 'relay.misconfigured', level: 'error', error: outcome.error });
        return { phone, outcome, language, at: new Date(now()).toISOString() };
      }),
  );
  const again = new Set(tried.map(({ phone }) => phone.id));
  const deliveries = [
    ...earlier.filter((delivery) => !again.has(delivery.device)),
    ...tried.map(({ phone, outcome, language, at }) => ({
      device: phone.id,
      platform: phone.platform,
      at,
      ...result(outcome),
      ...(language !== undefined && { language }),
    })),
  ];
  const states = tried.map(({ outcome }) => outcome.state);
  return {
    deliveries,
    outcome: states.some((state) => state === 'retry' || state === 'misconfigured')
      ? 'retry'
      : deliveries.some((delivery) => delivery.messageId)
        ? 'sent'
        : 'failed',
    gone: tried.filter(({ outcome }) => outcome.state === 'gone').map(({ phone }) => phone.id),
  };
}

const result = (outcome: Outcome) =>
  outcome.state === 'sent' ? { messageId: outcome.messageId } : { error: outcome.error };
