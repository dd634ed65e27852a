import { type ReminderTexts, textFor } from '../schedule/languages.ts';
import type { Outcome, PushMessage, Services } from '../services.ts';
import type { Phone } from './claim.ts';
import type { PushResult } from './pushed.ts';
import type { Delivery } from './schema.ts';

/** The message for all phones, each in its language. */
export type Message = Omit<PushMessage, 'endpoint' | 'title' | 'body'> & { texts: ReminderTexts };

/** The result on each phone. */
export interface Pushed extends Pick<PushResult, 'deliveries' | 'outcome'> {
  /** Phones to disable. */
  gone: string[];
  /** Push services that took the push. */
  services: string[];
  /** The shortest delay that a push service asks for, if each that shall be tried again asks for one; else 0. */
  retryAfterMs: number;
}

/** Pushes to all phones that have not received the message, in parallel. */
export async function pushToPhones(
  { push, now, log }: Pick<Services, 'push' | 'now' | 'log'>,
  phones: Phone[],
  earlier: Delivery[],
  { texts, ...message }: Message,
): Promise<Pushed> {
  const serviceOf = ({ endpoint, platform }: Phone) => push.serviceOf?.(endpoint) ?? platform;
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
          log({
            event: 'relay.misconfigured',
            level: 'error',
            service: serviceOf(phone),
            error: outcome.error,
          });
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
  const delays = tried.flatMap(({ outcome }) =>
    outcome.state === 'retry' ? (outcome.retryAfterMs ?? 0) : outcome.state === 'misconfigured' ? 0 : [],
  );
  const takers = tried.filter(({ outcome }) => outcome.state === 'sent');
  return {
    deliveries,
    services: [...new Set(takers.map(({ phone }) => serviceOf(phone)))],
    retryAfterMs: delays.length > 0 ? Math.min(...delays) : 0,
    outcome:
      delays.length > 0 ? 'retry' : deliveries.some((delivery) => delivery.messageId) ? 'sent' : 'failed',
    gone: tried.filter(({ outcome }) => outcome.state === 'gone').map(({ phone }) => phone.id),
  };
}

const result = (outcome: Outcome) =>
  outcome.state === 'sent' ? { messageId: outcome.messageId } : { error: outcome.error };
