import { localPost, viaFetch } from '../../../src/runtime/local-sns-post.ts';
import type { SnsSettings } from '../../../src/runtime/sns.ts';
import { viaUndici } from '../../../src/runtime/undici-transport.ts';

/** How the runtimes sign and send: Cloudflare, Node and Deno. */
export const posts: [string, SnsSettings['post']][] = [
  ['WebCrypto and fetch', undefined],
  ['Node crypto and undici', localPost(viaUndici())],
  ['Node crypto and fetch', localPost(viaFetch)],
];
