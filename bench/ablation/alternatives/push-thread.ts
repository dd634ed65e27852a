import type { RelayConfig } from '../../../src/config.ts';
import { serverPost } from '../../../src/platform/server/sns-transport.ts';
import { viaUndici } from '../../../src/platform/server/undici-transport.ts';
import { createSns } from '../../../src/sns/push.ts';

export const pushByThread = (relay: RelayConfig) => createSns({ ...relay, post: serverPost(viaUndici()) });
