import { base64url } from 'jose';
import { createKeySet } from '../../../src/http/auth/key-sets.ts';
import { askTime } from '../../../src/platform/server/clock.ts';
import { serverPost } from '../../../src/platform/server/sns-post.ts';
import { createWebhookCalls } from '../../../src/platform/server/webhook-calls.ts';
import { createSnsEvents } from '../../../src/push/sns/events.ts';
import { createSns } from '../../../src/push/sns/push.ts';
import { createVerifier } from '../../../src/push/sns/verify.ts';
import { createWebPush } from '../../../src/push/web-push/push.ts';
import { settingDefaults } from '../../../tools/settings/defaults.ts';
import { type Oddity, oddityNames, startOddReceiver } from '../../support/odd-receiver.ts';
import { createSigner } from '../../support/sns-signer.ts';

const topic = 'arn:aws:sns:eu-central-1:123456789012:fieldbell-events';
const certificate = '/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem';
const now = Date.parse('2027-03-01T08:00:00.000Z');
const webhook = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{}' });

async function subscription(endpoint: string): Promise<string> {
  const { publicKey } = (await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ])) as CryptoKeyPair;
  const point = new Uint8Array((await crypto.subtle.exportKey('raw', publicKey)) as ArrayBuffer);
  const keys = { p256dh: base64url.encode(point), auth: base64url.encode(new Uint8Array(16)) };
  return JSON.stringify({ endpoint, keys });
}

/** A genuine request to confirm a subscription, whose address is odd. */
async function confirmation(origin: string, signer: Awaited<ReturnType<typeof createSigner>>) {
  const signed = {
    Message: 'Confirm',
    MessageId: '4d4dc071-ddbf-465d-bba8-08f81c89da64',
    SubscribeURL: `${origin}/?Action=ConfirmSubscription`,
    Timestamp: '2027-03-01T07:59:59.000Z',
    Token: 'token',
    TopicArn: topic,
    Type: 'SubscriptionConfirmation',
  };
  const text = Object.entries(signed).map(([name, value]) => `${name}\n${value}\n`);
  return JSON.stringify({
    ...signed,
    SignatureVersion: '2',
    Signature: await signer.sign(text.join(''), '2'),
    SigningCertURL: `${origin}${certificate}`,
  });
}

const push = { title: 'Diary', body: 'How?', data: {}, collapseId: 'c'.repeat(32), ttlSeconds: 60 };
const application = 'arn:aws:sns:eu-central-1:123456789012:app/GCM/fieldbell';
const phone = { ...push, endpoint: `${application.replace(':app/', ':endpoint/')}/1` };
const stateOf = ({ state }: { state: string }) => state;
const statusOf = ({ status }: { status: number | null }) => String(status);
const signer = await createSigner();

/** A call of a server, and its outcome. */
type Call = (server: { url: string; port: number }, timeoutMs: number) => Promise<string>;

const sns = (endpoint: string, timeoutMs: number, post?: ReturnType<typeof serverPost>) =>
  createSns({
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    endpoint,
    platformApplications: { android: application },
    timeoutMs,
    post,
  });

const calls: Record<string, Call> = {
  webhook: ({ url }, timeoutMs) =>
    createWebhookCalls({ local: true, timeoutMs })(webhook(`${url}/`)).then(statusOf),
  'webhook by TLS': ({ port }, timeoutMs) =>
    createWebhookCalls({
      local: false,
      resolve: async () => ['127.0.0.1'],
      isClosed: () => false,
      timeoutMs,
    })(webhook(`https://hooks.example.org:${port}/`)).then(statusOf),
  'webhook of a name': (_, timeoutMs) =>
    createWebhookCalls({ local: false, resolve: () => new Promise(() => {}), timeoutMs })(
      webhook('https://hooks.example.org/'),
    ).then(statusOf),
  'push by SNS': ({ url }, timeoutMs) => sns(url, timeoutMs, serverPost()).send(phone).then(stateOf),
  'registration with SNS': ({ url }, timeoutMs) =>
    sns(url, timeoutMs, serverPost()).register({ platform: 'android', token: 'token' }).then(stateOf),
  'push by SNS from Cloudflare': ({ url }, timeoutMs) => sns(url, timeoutMs).send(phone).then(stateOf),
  'certificate of SNS': ({ url }, timeoutMs) => {
    const message = { type: 'Notification', id: '1', topic, text: '', at: now, subscribeUrl: '' } as const;
    const signature = { signatureVersion: '2', signature: 'AAAA', signed: '' };
    const verify = createVerifier({ fetch, timeoutMs });
    return verify({ ...message, ...signature, certificateUrl: `${url}${certificate}` }, [url], now);
  },
  'subscription to a topic': async ({ url }, timeoutMs) => {
    // The certificate comes; its address is tried by itself.
    const send: typeof fetch = async (input, init) =>
      String(input).endsWith('.pem') ? new Response(signer.pem) : fetch(input, init);
    const receive = createSnsEvents({ topics: [topic], endpoint: url, timeoutMs, fetch: send });
    return stateOf(await receive(await confirmation(url, signer), now));
  },
  'push to a browser': async ({ url, port }, timeoutMs) => {
    const { VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = settingDefaults;
    const hosts = { hosts: [`127.0.0.1:${port}`], local: true };
    const { send } = createWebPush({ privateKey, subject, ...hosts, timeoutMs });
    return stateOf(await send({ ...push, endpoint: await subscription(`${url}/push/1`) }));
  },
  'keys of the provider': async ({ url }, timeoutMs) => {
    try {
      await createKeySet(`${url}/jwks`, timeoutMs)(
        { alg: 'RS256', kid: '1' },
        { payload: '', signature: '' },
      );
      return 'a key';
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  'time of a push service': async ({ url }, timeoutMs) => String(await askTime(new URL(url), timeoutMs)),
};

/** The outcome of each outgoing call of this runtime, each to a server of its own that does always the same. */
async function outcomesOf(oddity: Oddity, timeoutMs: number): Promise<Record<string, string>> {
  const outcomes = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const receiver = await startOddReceiver(oddity);
      const outcome = await call(receiver, timeoutMs);
      await receiver.close();
      return [name, outcome] as const;
    }),
  );
  return Object.fromEntries(outcomes);
}

/** Oddities that are tried at once. */
const atOnce = 6;

export async function allOutcomes(timeoutMs: number) {
  const outcomes: [Oddity, Record<string, string>][] = [];
  for (let from = 0; from < oddityNames.length; from += atOnce)
    outcomes.push(
      ...(await Promise.all(
        oddityNames
          .slice(from, from + atOnce)
          .map(async (oddity) => [oddity, await outcomesOf(oddity, timeoutMs)] as [Oddity, never]),
      )),
    );
  return Object.fromEntries(outcomes) as Record<Oddity, Record<string, string>>;
}
