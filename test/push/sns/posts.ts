import { serverPost } from '../../../src/platform/server/sns-post.ts';
import type { SnsSettings } from '../../../src/push/sns/push.ts';

/** How the runtimes sign and send: Cloudflare; Node and Deno. */
export const posts: [string, SnsSettings['post']][] = [
  ['WebCrypto and fetch', undefined],
  ['Node crypto and undici', serverPost()],
];
