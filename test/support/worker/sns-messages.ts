import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Answer } from '../people.ts';
import { createSigner, type Signer } from '../sns-signer.ts';
import { send } from './world.ts';

export const topic = 'arn:aws:sns:eu-central-1:000000000000:fieldbell-events';
export const host = 'https://sns.eu-central-1.amazonaws.com';
export const certificateUrl = `${host}/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem`;

/** The fields that SNS signs, by the type of message, in this order. */
const names: Record<string, string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
};
names.UnsubscribeConfirmation = names.SubscriptionConfirmation as string[];

export type Message = Record<string, string>;

/** One for all files of a runtime, whose services keep its certificate. */
let signer: Signer;

/** Requests to the simulated host of SNS, and its answers by address. */
export const asked: string[] = [];
export const answers = new Map<string, () => Response>();

/** Simulates the one host that certificates come from; everything else goes to the network as always. */
export function simulateSnsHost() {
  beforeAll(async () => {
    signer ??= await createSigner('sns.amazonaws.com');
  });
  beforeEach(() => {
    asked.length = 0;
    answers.clear();
    answers.set(certificateUrl, () => new Response(signer.pem));
    const network = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!/amazonaws|attacker/.test(new URL(url).host)) return network(input, init);
      asked.push(url);
      return answers.get(url)?.() ?? new Response('Not Found', { status: 404 });
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}

export const pemOf = async () => (await createSigner()).pem;

export function notification(event: object | string, change: Message = {}): Message {
  return {
    Type: 'Notification',
    MessageId: crypto.randomUUID(),
    TopicArn: topic,
    Subject: 'DeliveryFailure event for app fieldbell-android (GCM)',
    Message: typeof event === 'string' ? event : JSON.stringify(event),
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${topic}:1`,
    ...change,
  };
}

export function confirmation(type: string, change: Message = {}): Message {
  const {
    Subject: _,
    UnsubscribeURL: __,
    ...rest
  } = notification('You have chosen to subscribe to the topic.');
  const token = '2336412f37';
  const url = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`;
  return { ...rest, Type: type, Token: token, SubscribeURL: url, ...change };
}

export async function signed(message: Message, by = signer): Promise<Message> {
  const text = (names[message.Type ?? ''] ?? [])
    .filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');
  return { ...message, Signature: await by.sign(text, message.SignatureVersion === '1' ? '1' : '2') };
}

/** Posts as SNS does: JSON that calls itself plain text, and no bearer token. */
export const post = (message: object | string, path = '/relay/events'): Promise<Answer> =>
  send(path, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': (message as Message).Type ?? 'Notification',
      'user-agent': 'Amazon Simple Notification Service Agent',
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

export const deliver = async (message: Message) => post(await signed(message));
