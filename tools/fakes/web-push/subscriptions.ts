import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Endpoint, State } from '../sns/state.ts';
import { type BrowserKeys, newKeys, publicKeys } from './encryption.ts';

/** The platform of browsers among the phones. */
export const webPlatform = 'web';

/** The path below which each subscription has its URL. */
export const pushPath = '/web-push/';

/** The body of `POST /web-push/subscriptions`. */
export const subscribeBody = z.strictObject({
  /** The only key whose pushes are taken, as a page gives it to its browser. Default: any. */
  applicationServerKey: z
    .string()
    .regex(/^B[\w-]{86}$/, 'expected the 65 bytes of an uncompressed point in base64url')
    .optional(),
});

/** The secrets of a browser and of the page that subscribed. */
export type Secrets = BrowserKeys & z.output<typeof subscribeBody>;

/** A browser subscribes to pushes. Its token is the last part of its URL. @returns the PushSubscription's JSON */
export function subscribe(state: State, origin: string, given: z.output<typeof subscribeBody>) {
  const keys = newKeys();
  const token = randomBytes(16).toString('base64url');
  const arn = `${origin}${pushPath}${token}`;
  const secrets: Secrets = { ...keys, ...given };
  state.putEndpoint({
    arn,
    application: webPlatform,
    platform: webPlatform,
    token,
    enabled: true,
    customUserData: JSON.stringify(secrets),
  });
  return { endpoint: arn, expirationTime: null, keys: publicKeys(keys) };
}

/** The secrets of a subscription. */
export const secretsOf = ({ customUserData }: Endpoint) => JSON.parse(customUserData) as Secrets;
