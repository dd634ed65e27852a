import { type ReminderTexts, textFor } from '../schedule/languages.ts';
import type { Outcome, PushMessage, Services } from '../services.ts';
import type { Delivery } from './columns.ts';
import type { Phone } from './due.ts';
import type { PushResult } from './pushed.ts';

/** The message for all phones, each in its language. */
export type Message = Omit<PushMessage, 'endpoint' | 'title' | 'body'> & { texts: ReminderTexts };

/** Pushes to all phones that have not received the message, in parallel. `gone`: phones to disable. */
export async function pushToPhones(
  { push, now, log }: Pick<Services, 'push' | 'now' | 'log'>,
  phones: Phone[],
  earlier: Delivery[],
  { texts, ...message }: Message,
): Promise<Pick<PushResult, 'deliveries' | 'outcome'> & { gone: string[] }> {
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
