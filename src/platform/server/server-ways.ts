import process from 'node:process';
import { encrypt } from '../../push/web-push/encryption.ts';
import type { Ways } from '../push-services.ts';
import { serverPost } from './sns-post.ts';
import { nodeEncrypt } from './web-push-encryption.ts';
import { webPushPost } from './web-push-post.ts';

/** The fastest ways of this runtime. In Deno Node's cryptography takes as long as WebCrypto, and blocks its thread. */
export const serverWays = {
  post: serverPost(),
  webPost: webPushPost(),
  encrypt: process.versions.deno ? encrypt : nodeEncrypt,
} satisfies Ways;
