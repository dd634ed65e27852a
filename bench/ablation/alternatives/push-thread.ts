import type { RelayConfig } from '../../../src/config.ts';
import { serverPost } from '../../../src/platform/server/sns-post.ts';
import { createSns } from '../../../src/sns/push.ts';

export const pushByThread = (relay: RelayConfig) => createSns({ ...relay, post: serverPost() });
