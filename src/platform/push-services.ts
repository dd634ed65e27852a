import type { Config } from '../config.ts';
import { fitsPushServices } from '../push/sns/payloads.ts';
import { type Post, type SnsConnection, snsUrl } from '../push/sns/post.ts';
import { createSns } from '../push/sns/push.ts';
import type { Encrypt } from '../push/web-push/encryption.ts';
import { createWebPush, type WebPost, webPlatform } from '../push/web-push/push.ts';
import type { PushService } from '../services.ts';

/** The settings of push services. */
export type PushConfig = Partial<Pick<Config, 'relay' | 'webPush'>>;

/** In place of a push service without settings. Pushes to its phones wait, since somebody may have lost the settings. */
const absent: PushService = {
  platforms: [],
  fits: fitsPushServices,
  register: async () => ({ state: 'refused', error: 'UnknownPlatform' }),
  remove: async () => ({ state: 'removed' }),
  check: async () => ({ state: 'missing' }),
  send: async () => ({ state: 'misconfigured', error: 'NotConfigured' }),
  receive: async () => ({ state: 'off' }),
};

/** The runtime's own ways to call SNS and the push services of browsers, and to encrypt for these. */
export interface Ways {
  post?: (connection: SnsConnection) => Post;
  webPost?: WebPost;
  encrypt?: Encrypt;
}

/** SNS and the push services of browsers, as far as they are configured. */
export function createPush(
  { relay, webPush }: PushConfig,
  { post, webPost, encrypt }: Ways = {},
): PushService {
  const sns = relay ? createSns({ ...relay, post }) : absent;
  const web = webPush ? createWebPush({ ...webPush, post: webPost, encrypt }) : absent;
  const byPlatform = (platform: string) => (platform === webPlatform ? web : sns);
  // A subscription is JSON, an endpoint of SNS an ARN.
  const byEndpoint = (endpoint: string) => (endpoint.startsWith('{') ? web : sns);
  return {
    ...sns,
    platforms: [...sns.platforms, ...web.platforms],
    ...(web.webPushKey && { webPushKey: web.webPushKey }),
    canonicalToken: (device) =>
      byPlatform(device.platform).canonicalToken?.(device) ?? { token: device.token },
    register: (device) => byPlatform(device.platform).register(device),
    remove: (endpoint) => byEndpoint(endpoint).remove(endpoint),
    check: (device) => byEndpoint(device.endpoint).check(device),
    serviceOf: (endpoint) => byEndpoint(endpoint).serviceOf?.(endpoint),
    send: (message) => byEndpoint(message.endpoint).send(message),
  };
}

/** A server that tells the time. */
export const clockOf = ({ relay, webPush }: PushConfig): URL =>
  relay
    ? snsUrl(relay)
    : new URL(`https://${webPush?.hosts.find((host) => !host.startsWith('*')) ?? 'localhost'}/`);
