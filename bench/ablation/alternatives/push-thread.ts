import type { RelayConfig } from '../../../src/config.ts';
import { viaHttp } from '../../../src/platform/server/http-transport.ts';
import { serverPost } from '../../../src/platform/server/sns-transport.ts';
import { createSns } from '../../../src/sns/push.ts';

export const pushByThread = (relay: RelayConfig) => createSns({ ...relay, post: serverPost(viaHttp()) });
